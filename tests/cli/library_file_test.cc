// Tests of cli/library_file: the library is the one beside the launcher, of its version. The
// program of these tests stands for the launcher: the folder lib beside its own is theirs.
#include "cli/library_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "interpose/shared/version.h"

namespace iotrace {
namespace {

namespace fs = std::filesystem;

class LibraryFileTest : public testing::Test {
 protected:
  LibraryFileTest() { fs::create_directories(library_.parent_path()); }
  ~LibraryFileTest() override { fs::remove_all(library_.parent_path()); }

  void put(const std::string& text) { std::ofstream(library_, std::ios::binary) << text; }

  // The path that was found, or the error.
  std::string found() {
    auto result = find_library_file();
    if (auto* error = std::get_if<std::string>(&result)) {
      EXPECT_TRUE(error->starts_with("iotrace: ")) << *error;
      EXPECT_EQ(error->find('\n'), std::string::npos);
      EXPECT_NE(error->find(library_.string()), std::string::npos) << *error;
      EXPECT_NE(error->find("install iotrace again"), std::string::npos) << *error;
      return *error;
    }
    return std::get<LibraryFile>(result).path;
  }

  const fs::path library_ =
      fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "lib" / "libiotrace.so";
  const std::string marker_{kLibraryMarker, sizeof(kLibraryMarker)};
};

TEST_F(LibraryFileTest, of_the_launchers_version_is_found) {
  put(std::string(500, '\0') + marker_ + std::string(9000, 'x'));
  EXPECT_EQ(found(), library_);
}

TEST_F(LibraryFileTest, that_is_missing_is_an_error) {
  EXPECT_NE(found().find("No such file"), std::string::npos);
}

TEST_F(LibraryFileTest, of_another_version_is_refused) {
  std::string other = marker_;
  other[other.size() - 2] ^= 1;
  for (const std::string& text : {other, marker_.substr(0, marker_.size() - 1) + ".1" + '\0'}) {
    put(std::string(500, '\0') + text);
    EXPECT_NE(found().find("not the library of iotrace " IOTRACE_VERSION), std::string::npos);
  }
}

TEST_F(LibraryFileTest, that_is_cut_off_is_refused) {
  put(marker_.substr(0, marker_.size() - 1));
  EXPECT_NE(found().find("not the library"), std::string::npos);
  put("");
  EXPECT_NE(found().find("not the library"), std::string::npos);
}

TEST_F(LibraryFileTest, that_is_a_directory_is_refused) {
  fs::create_directory(library_);
  EXPECT_NE(found(), library_);
}

}  // namespace
}  // namespace iotrace
