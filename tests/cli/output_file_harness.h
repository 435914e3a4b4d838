// A temporary folder, and shorthands for preparing an output file in it: for the tests of
// cli/output_file.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "cli/output_file.h"

namespace iotrace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "output_file.XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }

  void put(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
  }

  std::string content(const std::string& name) const {
    std::ifstream file(path(name));
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

  size_t entries() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

inline OutputFile prepared(const std::string& path) {
  auto result = OutputFile::prepare(path);
  if (const std::string* error = std::get_if<std::string>(&result))
    throw std::runtime_error(*error);
  return std::move(std::get<OutputFile>(result));
}

inline std::string prepare_error(const std::string& path) {
  const auto result = OutputFile::prepare(path);
  const std::string* error = std::get_if<std::string>(&result);
  return error == nullptr ? "no error" : *error;
}

}  // namespace iotrace
