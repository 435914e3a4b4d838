// Will the preload library be loaded into this program? Told from the first bytes of its file.
// Header-only, freestanding: the launcher asks for the first program, the library for every program
// that is executed.
//
// Source: elf(5); ld.so(8) on secure execution and preloading.
#pragma once

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

namespace iotrace {

// How many of a file's first bytes decide: the ELF header, the program headers and, as linkers lay
// files out, the name of the dynamic loader.
inline constexpr size_t kExecutableHeadSize = 2048;

enum class Loading : uint8_t {
  loads,  // as far as can be told
  static_program,
  foreign_class,  // 32-bit, or of another processor: the loader would complain about our library
  other_libc,     // a dynamic loader that is not glibc's
  script,         // "#!": its interpreter decides
  unknown,        // not an executable format that we know
};

#if defined(__x86_64__)
inline constexpr uint16_t kOwnMachine = EM_X86_64;
#elif defined(__aarch64__)
inline constexpr uint16_t kOwnMachine = EM_AARCH64;
#endif

namespace detail {

inline bool contains(const char* text, size_t length, const char* word) {
  size_t word_length = __builtin_strlen(word);
  for (size_t i = 0; i + word_length <= length; ++i) {
    if (__builtin_memcmp(text + i, word, word_length) == 0) return true;
  }
  return false;
}

}  // namespace detail

// `head` holds the file's first `size` bytes (at most kExecutableHeadSize are needed).
inline Loading classify_executable(const unsigned char* head, size_t size) {
  if (size >= 2 && head[0] == '#' && head[1] == '!') return Loading::script;
  if (size < sizeof(Elf64_Ehdr) || __builtin_memcmp(head, ELFMAG, SELFMAG) != 0)
    return Loading::unknown;
  Elf64_Ehdr header;
  __builtin_memcpy(&header, head, sizeof(header));
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != kOwnMachine) {
    return Loading::foreign_class;
  }
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    uint64_t offset = header.e_phoff + uint64_t{i} * sizeof(Elf64_Phdr);
    if (offset > size || size - offset < sizeof(Elf64_Phdr)) return Loading::loads;
    Elf64_Phdr segment;
    __builtin_memcpy(&segment, head + offset, sizeof(segment));
    if (segment.p_type != PT_INTERP) continue;
    if (segment.p_offset > size || size - segment.p_offset < segment.p_filesz)
      return Loading::loads;
    const char* name = reinterpret_cast<const char*>(head + segment.p_offset);
    return detail::contains(name, segment.p_filesz, "ld-linux") ? Loading::loads
                                                                : Loading::other_libc;
  }
  return Loading::static_program;
}

// Copies the interpreter's path out of a script's first line into `path`. False if there is none,
// or no room.
inline bool script_interpreter(const unsigned char* head, size_t size, char* path,
                               size_t capacity) {
  size_t i = 2;
  while (i < size && (head[i] == ' ' || head[i] == '\t')) ++i;
  size_t length = 0;
  for (; i < size && head[i] != ' ' && head[i] != '\t' && head[i] != '\n' && head[i] != 0; ++i) {
    if (length + 1 >= capacity) return false;
    path[length++] = static_cast<char>(head[i]);
  }
  path[length] = 0;
  return length > 0;
}

}  // namespace iotrace
