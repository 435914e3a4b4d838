// The programs of the story of the large page, as far as they were built, and their page. Its tests
// only.
#pragma once

#include <string>
#include <vector>

#include "tests/demos/good_program.h"

namespace iotrace::test {

inline constexpr size_t kFirstLineSize = 99, kElementSize = 48, kLastLineSize = 15;

inline std::vector<std::string> genbig_programs() {
  std::vector<std::string> programs =
      built_among({"genbig_endl", "genbig_block", "genbig-line-rs", "genbig-block-rs"});
  if (file_exists("/usr/bin/python3")) programs.push_back("genbig.py");
  return programs;
}

// Python's buffer is what the story is about, so nobody may have switched it off.
inline Command& with_default_buffer(Command& command) {
  return command.without_env("PYTHONUNBUFFERED");
}

}  // namespace iotrace::test
