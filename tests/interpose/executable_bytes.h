// The first bytes of executables, made by hand: for the tests of both sides that judge a program by
// its file.
#pragma once

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "interpose/shared/executable.h"

namespace iotrace {

struct ExecutableForm {
  unsigned char elf_class = ELFCLASS64;
  uint16_t machine = kOwnMachine;
  std::string interpreter = {};  // "": a static program
};

// An ELF header, two program headers (the first is no PT_INTERP) and the interpreter's name.
inline std::string executable_bytes(const ExecutableForm& form) {
  Elf64_Ehdr header = {};
  memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = form.elf_class;
  header.e_machine = form.machine;
  header.e_phoff = sizeof(header);
  header.e_phnum = form.interpreter.empty() ? 1 : 2;
  Elf64_Phdr segments[2] = {};
  segments[0].p_type = PT_LOAD;
  segments[1].p_type = PT_INTERP;
  segments[1].p_offset = sizeof(header) + sizeof(segments);
  segments[1].p_filesz = form.interpreter.size() + 1;
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof(header));
  bytes.append(reinterpret_cast<const char*>(segments), sizeof(segments));
  return bytes + form.interpreter + '\0';
}

inline std::string dynamic_executable() {
  return executable_bytes({.interpreter = "/lib64/ld-linux-x86-64.so.2"});
}
inline std::string musl_executable() {
  return executable_bytes({.interpreter = "/lib/ld-musl-x86_64.so.1"});
}
inline std::string static_executable() { return executable_bytes({}); }
inline std::string narrow_executable() {
  return executable_bytes({.elf_class = ELFCLASS32, .machine = EM_386});
}

// Executable files in a folder that vanishes with the test.
class ProgramFolder {
 public:
  ProgramFolder() {
    std::string name = std::filesystem::temp_directory_path() / "programs.XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the programs");
    path_ = name;
  }
  ~ProgramFolder() { std::filesystem::remove_all(path_); }
  ProgramFolder(const ProgramFolder&) = delete;
  ProgramFolder& operator=(const ProgramFolder&) = delete;

  const std::string& path() const { return path_; }

  // Returns the path of the new file.
  std::string add(const std::string& name, const std::string& bytes, mode_t mode = 0755) const {
    std::string path = path_ + "/" + name;
    std::ofstream(path, std::ios::binary) << bytes;
    chmod(path.c_str(), mode);
    return path;
  }

 private:
  std::string path_;
};

}  // namespace iotrace
