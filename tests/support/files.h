// Files that a test makes: a directory of its own that vanishes with the test, and whole-file
// reading and writing. Trouble with them is trouble with the machine, so it throws and the test
// fails with the reason.
#pragma once

#include <string>

namespace iotrace::test {

// A new directory that everybody may write to (some tests run programs as another user) until it
// goes out of scope.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& text);
bool file_exists(const std::string& path);

}  // namespace iotrace::test
