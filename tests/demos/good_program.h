// What every program of the stories must do, whatever else it does: refuse arguments that make no
// sense, notice an stdout that takes nothing, die of SIGPIPE. Any test.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/command.h"
#include "tests/support/files.h"
#include "tests/support/paths.h"

namespace iotrace::test {

inline void expect_one_line_about(const std::string& subject, const Outcome& outcome) {
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome;
  EXPECT_NE(outcome.err.find(subject), std::string::npos) << outcome;
}

// The line names the argument that is wrong, the last one.
inline void expect_refused(const std::vector<std::string>& argv) {
  Outcome outcome = run(argv);
  EXPECT_EQ(outcome.code, 2) << outcome;
  EXPECT_EQ(outcome.out, "");
  expect_one_line_about("'" + argv.back() + "'", outcome);
}

inline void expect_closed_stdout_is_noticed(const std::vector<std::string>& argv) {
  Command command(argv);
  Outcome outcome = command.stdout_to(closed()).wait();
  EXPECT_EQ(outcome.code, 1) << outcome;
  expect_one_line_about("stdout", outcome);
}

inline void expect_full_stdout_is_noticed(const std::vector<std::string>& argv) {
  Command command(argv);
  Outcome outcome = command.stdout_to(full_device()).wait();
  EXPECT_EQ(outcome.code, 1) << outcome;
  expect_one_line_about("stdout: No space left on device", outcome);
}

inline void expect_dies_without_reader(const std::vector<std::string>& argv) {
  Command command(argv);
  Outcome outcome = command.stdout_to(pipe_without_reader()).wait();
  EXPECT_EQ(outcome.signal, SIGPIPE) << outcome;
  EXPECT_EQ(outcome.err, "");
}

// The programs among these that were built: those in Rust are where rustc is.
inline std::vector<std::string> built_among(std::vector<std::string> names) {
  names.erase(std::remove_if(names.begin(), names.end(),
                             [](const std::string& name) { return !file_exists(demo(name)); }),
              names.end());
  return names;
}

// gtest wants test names without hyphens and dots.
inline std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
}

}  // namespace iotrace::test
