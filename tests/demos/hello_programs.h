// The programs of the story of Hello, N, as far as they were built. Its tests only.
#pragma once

#include <string>
#include <vector>

#include "tests/demos/good_program.h"

namespace iotrace::test {

inline std::vector<std::string> hello_programs() {
  return built_among({"hello_naive", "hello_dumbest", "hello_glacial", "hello_slow", "hello_fast",
                      "hello_speedy", "hello_turbo", "hello_lightning", "hello_ludicrous",
                      "hello_serious", "glacial-rs", "slow-rs", "fast-rs", "speedy-rs", "turbo-rs",
                      "lightning-rs"});
}

inline std::vector<std::string> hello_programs_and_limit() {
  std::vector<std::string> programs = hello_programs();
  programs.push_back("hello_limit");
  return programs;
}

}  // namespace iotrace::test
