// The terminal that the stories run on, and the reader of reports that makes their tables.
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/support/command.h"
#include "tests/support/paths.h"

namespace iotrace::test {
namespace {

Outcome ptyrun(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), demo("ptyrun"));
  return run(std::move(arguments));
}

TEST(TuiPtyrunTest, the_command_has_a_terminal_of_that_size) {
  Outcome outcome = ptyrun({"--leave-stdout", "123x45", "sh", "-c",
                            "stty size; test -t 0 && test -t 2 && echo yes >/dev/tty"});
  EXPECT_EQ(outcome.code, 0) << outcome;
  EXPECT_EQ(outcome.out, "45 123\n");
}

TEST(TuiPtyrunTest, what_is_shown_there_is_read_away_however_much_it_is) {
  Outcome outcome = ptyrun({"80x24", "head", "-c", "3000000", "/dev/zero"});
  EXPECT_EQ(outcome.code, 0) << outcome;
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST(TuiPtyrunTest, each_stream_can_be_left_alone) {
  Outcome outcome = ptyrun({"--leave-stderr", "80x24", "sh", "-c", "test -t 1 && echo err >&2"});
  EXPECT_EQ(outcome.code, 0) << outcome;
  EXPECT_EQ(outcome.err, "err\n");
  outcome = ptyrun({"--leave-stderr", "--leave-stdout", "80x24", "sh", "-c", "echo 1; echo 2 >&2"});
  EXPECT_EQ(outcome.out, "1\n");
  EXPECT_EQ(outcome.err, "2\n");
}

TEST(TuiPtyrunTest, the_end_of_the_command_is_passed_on) {
  EXPECT_EQ(ptyrun({"80x24", "sh", "-c", "exit 7"}).code, 7);
  EXPECT_EQ(ptyrun({"80x24", "sh", "-c", "kill -TERM $$"}).signal, SIGTERM);
  Outcome outcome = ptyrun({"80x24", "./no-such-program"});
  EXPECT_EQ(outcome.code, 127);
  EXPECT_EQ(outcome.err, "ptyrun: ./no-such-program: No such file or directory\n");
}

TEST(TuiPtyrunTest, a_descendant_that_lives_on_does_not_hold_it_up) {
  Outcome outcome = ptyrun({"80x24", "sh", "-c", "sleep 600 & exit 3"});
  EXPECT_EQ(outcome.code, 3) << outcome;
}

TEST(TuiPtyrunTest, arguments_without_sense_are_refused) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{},
                                                    {"80x24"},
                                                    {"80", "true"},
                                                    {"--leave-stdin", "80x24", "true"}}) {
    Outcome outcome = ptyrun(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome;
    EXPECT_NE(outcome.err.find("usage: ptyrun"), std::string::npos) << outcome;
  }
}

TEST(TuiReportFieldsTest, fields_are_printed_as_the_report_has_them) {
  TempDir directory;
  const std::string report = directory.file("report.json");
  Command command(
      {iotrace_binary(), "--quiet", "--export-json", report, "--", demo("printf_demo"), "20"});
  ASSERT_EQ(command.wait().code, 0);
  const std::string fields = source_file("demos/stdout_vs_stderr/report_fields");
  Outcome outcome =
      run({fields, report, "schema", "exit.code", "streams.stdout.bytes_per_call.mean",
           "streams.stdout.bytes", "streams.stderr.bytes", "coverage.complete",
           "streams.stdout.stdio.flush_causes.exit"});
  EXPECT_EQ(outcome.code, 0) << outcome;
  EXPECT_EQ(outcome.out, "\"iotrace-report/1\" 0 740.0 740 0 true 1\n");
  outcome = run({fields, report, "streams.stdout.colour"});
  EXPECT_EQ(outcome.code, 1) << outcome;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "report_fields: no field streams.stdout.colour\n");
}

}  // namespace
}  // namespace iotrace::test
