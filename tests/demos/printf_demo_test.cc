// The programs of the story of printf and write: that they make the calls which the story tells of,
// and what they do with arguments and with output that fails.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>

#include "tests/support/command.h"
#include "tests/support/json_match.h"
#include "tests/support/paths.h"

namespace iotrace::test {
namespace {

const std::string kMessage = "about to do something risky ...";

std::string lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "Hello, World! Here is one more line.\n";
  return text;
}

TEST(PrintfDemoTest, line_makes_one_call_a_line_to_a_file) {
  TempDir directory;
  Command command({demo("printf_demo"), "500", "--line"});
  Outcome outcome = command.stdout_to(file(directory.file("out"))).traced().wait();
  EXPECT_TRUE(matches(outcome.stream("stdout"), R"({"calls": 500, "newline_terminated_calls": 500,
      "target": {"kind": "file"}, "stdio": {"calls": 500, "buffering": "line",
      "flush_causes": {"newline": 500}}})"));
  EXPECT_EQ(read_file(directory.file("out")), lines(500));
}

TEST(PrintfDemoTest, on_a_terminal_a_line_is_a_call_without_being_asked) {
  Command command({demo("printf_demo"), "500"});
  Outcome outcome = command.stdout_to(terminal()).traced().wait();
  EXPECT_TRUE(matches(outcome.stream("stdout"), R"({"calls": 500, "target": {"kind": "tty"},
      "stdio": {"buffering": "line", "flush_causes": {"newline": 500}}})"));
}

TEST(PrintfDemoTest, all_ways_put_out_the_same_bytes) {
  for (std::vector<std::string> argv : {std::vector<std::string>{demo("printf_demo"), "300"},
                                        {demo("printf_demo"), "300", "--unbuffered"},
                                        {demo("printf_demo"), "--line", "300"},
                                        {demo("write_demo"), "300"}}) {
    Outcome outcome = run(argv);
    EXPECT_EQ(outcome.code, 0) << outcome;
    EXPECT_EQ(outcome.out, lines(300)) << argv[0];
  }
}

TEST(PrintfDemoTest, arguments_without_sense_are_refused_in_one_line) {
  for (const char* program : {"printf_demo", "write_demo", "abort_demo"}) {
    for (std::vector<std::string> arguments : {std::vector<std::string>{"many"},
                                               {"-1"},
                                               {"1", "2"},
                                               {"99999999999999999999"},
                                               {"--fast"},
                                               {""},
                                               {"--unbuffered", "--line"},
                                               {"--line", "--line"}}) {
      arguments.insert(arguments.begin(), demo(program));
      Outcome outcome = run(arguments);
      EXPECT_EQ(outcome.code, 2) << outcome;
      EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome;
      EXPECT_EQ(outcome.out, "");
    }
  }
}

TEST(PrintfDemoTest, closed_full_and_unread_stdout_are_noticed) {
  for (const char* program : {"printf_demo", "write_demo"}) {
    Command shut({demo(program), "1000"});
    Outcome outcome = shut.stdout_to(closed()).wait();
    EXPECT_EQ(outcome.code, 1) << outcome;
    EXPECT_NE(outcome.err.find("stdout: Bad file descriptor\n"), std::string::npos) << outcome;
    Command full({demo(program), "1000"});
    outcome = full.stdout_to(full_device()).wait();
    EXPECT_EQ(outcome.code, 1) << outcome;
    EXPECT_NE(outcome.err.find("stdout: No space left on device\n"), std::string::npos) << outcome;
    Command unread({demo(program), "1000"});
    EXPECT_EQ(unread.stdout_to(pipe_without_reader()).wait().signal, SIGPIPE);
  }
}

TEST(PrintfAbortTest, on_stdout_the_message_is_lost_and_the_report_says_how_much) {
  Outcome outcome = traced({demo("abort_demo")});
  EXPECT_EQ(outcome.signal, SIGABRT) << outcome;
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(matches(outcome.stream("stdout"), R"({"calls": 0, "bytes": 0})"));
  EXPECT_EQ(outcome.stream("stdout")["stdio"]["unflushed_bytes"], kMessage.size());
}

TEST(PrintfAbortTest, on_a_terminal_too_where_no_newline_ends_it) {
  Command command({demo("abort_demo")});
  Outcome outcome = command.stdout_to(terminal()).traced().wait();
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.stream("stdout")["stdio"]["unflushed_bytes"], kMessage.size());
}

TEST(PrintfAbortTest, on_stderr_it_has_left_before) {
  Outcome outcome = traced({demo("abort_demo"), "--stderr"});
  EXPECT_EQ(outcome.signal, SIGABRT) << outcome;
  EXPECT_EQ(outcome.err, kMessage);
  EXPECT_TRUE(
      matches(outcome.stream("stderr"), R"({"calls": 1, "stdio": {"unflushed_bytes": 0}})"));
}

TEST(PrintfAbortTest, a_closed_stdout_is_noticed_before) {
  Command command({demo("abort_demo")});
  Outcome outcome = command.stdout_to(closed()).wait();
  EXPECT_EQ(outcome.code, 1) << outcome;
  EXPECT_NE(outcome.err.find("stdout: Bad file descriptor\n"), std::string::npos) << outcome;
}

}  // namespace
}  // namespace iotrace::test
