// Temporary directories and whole files; see files.h.
#include "tests/support/files.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace iotrace::test {

TempDir::TempDir() {
  path_ = (std::filesystem::temp_directory_path() / "iotrace-test.XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr || chmod(path_.c_str(), 0777) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot make " + path_);
  }
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) throw std::runtime_error("cannot write " + path);
}

bool file_exists(const std::string& path) { return std::filesystem::exists(path); }

}  // namespace iotrace::test
