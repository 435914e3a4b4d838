// Options, environment and failing output of the full-screen programs.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>

#include "tests/support/command.h"
#include "tests/support/paths.h"

namespace iotrace::test {
namespace {

Command& without_surroundings(Command& command) {
  return command.without_env("STREAM").without_env("DURATION");
}

Outcome tui(std::vector<std::string> options) {
  options.insert(options.begin(), demo("tui_demo"));
  Command command(std::move(options));
  return without_surroundings(command).wait();
}

void expect_refused(const Outcome& outcome, const std::string& word) {
  EXPECT_EQ(outcome.code, 2) << outcome;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome;
  EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome;
  EXPECT_EQ(outcome.out, "");
}

TEST(TuiOptionsTest, what_makes_no_sense_is_refused_in_one_line) {
  const std::vector<std::vector<std::string>> kRefused = {
      {"--stream", "stdin"},     {"--stream", ""},          {"--buffer", "blocks"},
      {"--duration", "soon"},    {"--duration", "-1"},      {"--duration", "1e7"},
      {"--duration", "nan"},     {"--duration", "1s"},      {"--frame-cap", "-60"},
      {"--frame-cap", "inf"},    {"--frame-cap", "1e400"},  {"--size", "80"},
      {"--size", "0x24"},        {"--size", "80x"},         {"--size", "80x24x8"},
      {"--size", "99999x24"},    {"--size", "-80x24"},      {"--size", "99999999999x24"},
      {"--size", "80x24", "-z"}, {"--size", "80x24", "on"}, {"--colour"}};
  for (const std::vector<std::string>& options : kRefused) {
    expect_refused(tui(options), "'" + options.back().substr(0, 5));
  }
  for (const char* option : {"--stream", "--buffer", "--duration", "--frame-cap", "--size"}) {
    expect_refused(tui({option}), std::string("'") + option + "' needs a value");
  }
}

TEST(TuiOptionsTest, so_is_what_the_environment_says) {
  for (const char* name : {"STREAM", "DURATION"}) {
    Command command({demo("tui_demo"), "--size", "20x5"});
    without_surroundings(command).env(name, "some");
    expect_refused(command.wait(), std::string(name) + ": 'some'");
  }
}

TEST(TuiOptionsTest, without_terminal_and_size_it_says_so) {
  expect_refused(tui({}), "stdout is no terminal");
  expect_refused(tui({"--stream", "stderr"}), "--size");
  expect_refused(run({demo("simple_tui")}), "no terminal");
  expect_refused(run({demo("simple_tui"), "80x24"}), "'80x24'");
}

TEST(TuiOptionsTest, help_goes_to_stdout) {
  Outcome outcome = tui({"--help"});
  EXPECT_EQ(outcome.code, 0) << outcome;
  EXPECT_EQ(outcome.out.find("usage: tui_demo"), 0u) << outcome;
  EXPECT_EQ(outcome.err, "");
}

TEST(TuiOptionsTest, the_environment_chooses_stream_and_duration_but_options_win) {
  Command command({demo("tui_demo"), "--size", "20x5"});
  Outcome outcome = command.env("STREAM", "stderr").env("DURATION", "0.05").wait();
  EXPECT_EQ(outcome.code, 0) << outcome;
  EXPECT_NE(outcome.out.find("frames per second on stderr"), std::string::npos) << outcome;
  Command other({demo("tui_demo"), "--size", "20x5", "--stream", "stdout"});
  outcome = other.env("STREAM", "stderr").env("DURATION", "0.05").wait();
  EXPECT_NE(outcome.err.find("frames per second on stdout"), std::string::npos) << outcome;
}

TEST(TuiOptionsTest, the_frame_cap_is_never_exceeded_and_the_duration_is_reached) {
  Outcome outcome = tui({"--size", "20x5", "--frame-cap", "10", "--duration", "0.5"});
  double frames = 0;
  double seconds = 0;
  ASSERT_EQ(sscanf(outcome.err.c_str(), "tui_demo: %lf frames in %lf s", &frames, &seconds), 2)
      << outcome;
  EXPECT_GE(seconds, 0.5);
  EXPECT_LE(frames, seconds * 10 + 1);
}

TEST(TuiOptionsTest, the_size_is_what_is_drawn) {
  Outcome outcome = tui({"--size", "20x5", "--duration", "0.01"});
  EXPECT_NE(outcome.out.find("\x1b[5;1H"), std::string::npos);
  EXPECT_EQ(outcome.out.find("\x1b[6;1H"), std::string::npos);
  // Down to a single cell.
  EXPECT_EQ(tui({"--size", "1x1", "--duration", "0.01"}).code, 0);
}

TEST(TuiOutputTest, a_stream_that_cannot_be_written_to_is_an_error) {
  const std::vector<std::string> argv = {demo("tui_demo"), "--size", "20x5", "--duration", "9"};
  Command full(argv);
  Outcome outcome = without_surroundings(full).stdout_to(full_device()).wait();
  EXPECT_EQ(outcome.code, 1) << outcome;
  EXPECT_EQ(outcome.err, "tui_demo: stdout: No space left on device\n");
  Command shut(argv);
  outcome = without_surroundings(shut).stdout_to(closed()).wait();
  EXPECT_EQ(outcome.code, 1) << outcome;
  EXPECT_EQ(outcome.err, "tui_demo: stdout: Bad file descriptor\n");
  Command unread(argv);
  outcome = without_surroundings(unread).stdout_to(pipe_without_reader()).wait();
  EXPECT_EQ(outcome.signal, SIGPIPE) << outcome;
}

TEST(TuiOutputTest, a_result_that_cannot_be_told_is_an_error_too) {
  Command command({demo("tui_demo"), "--size", "20x5", "--duration", "0.01", "--stream", "stderr"});
  Outcome outcome = without_surroundings(command).stdout_to(full_device()).wait();
  EXPECT_EQ(outcome.code, 1) << outcome;
  EXPECT_NE(outcome.err.find("tui_demo: stdout: No space left on device\n"), std::string::npos)
      << outcome;
}

}  // namespace
}  // namespace iotrace::test
