// Scenarios: the figures that iotrace exists for, on programs whose figures are known beforehand.
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/support/command.h"
#include "tests/support/json_match.h"
#include "tests/support/paths.h"

namespace iotrace::test {
namespace {

Outcome traced_to_null(std::vector<std::string> argv) {
  Command command(std::move(argv));
  return command.stdout_to(null_device()).traced().wait();
}

TEST(Counts, a_million_buffered_lines_are_9034_calls) {
  Outcome outcome = traced_to_null({demo("printf_demo"), "1000000"});
  EXPECT_EQ(outcome.code, 0) << outcome;
  EXPECT_TRUE(matches(outcome.stream("stdout"), R"({
    "target": {"kind": "null", "path": "/dev/null"},
    "calls": 9034, "calls_by_name": {"write": 9034}, "bytes": 37000000, "bytes_requested": 37000000,
    "succeeded_calls": 9034, "short_writes": 0, "unfinished_calls": 0, "errors": {},
    "bytes_per_call": {"min": 832, "max": 4096},
    "size_histogram": [{"up_to": 1024, "calls": 1}, {"up_to": 4096, "calls": 9033}],
    "newline_terminated_calls": 245,
    "stdio": {"calls": 1000000, "calls_exact": true, "buffering": "full", "buffer_bytes": 4096,
              "calls_by_buffering": {"full": 9034}, "flush_causes": {"full": 9033, "exit": 1},
              "fflush_calls": 0, "fflush_empty_calls": 0, "unflushed_bytes": 0}})"));
  EXPECT_TRUE(matches(outcome.stream("stderr"), R"({"calls": 0, "bytes": 0})"));
  EXPECT_TRUE(matches(outcome.report.at("coverage"), R"({
    "complete": true, "kernel_calls": 9034, "counted_calls": 9034, "unseen_calls": 0,
    "not_auditable_calls": 0, "not_instrumented": 0, "unaudited": []})"));
}

TEST(Counts, unbuffered_lines_are_one_call_each) {
  Outcome outcome = traced_to_null({demo("printf_demo"), "100000", "--unbuffered"});
  EXPECT_TRUE(matches(outcome.stream("stdout"), R"({
    "calls": 100000, "bytes": 3700000, "bytes_per_call": {"mean": 37, "min": 37, "max": 37},
    "newline_terminated_calls": 100000,
    "stdio": {"calls": 100000, "buffering": "unbuffered", "buffer_bytes": 0,
              "calls_by_buffering": {"unbuffered": 100000}, "flush_causes": {"unbuffered": 100000},
              "unflushed_bytes": 0}})"));
  EXPECT_EQ(outcome.report.at("coverage").at("complete"), true) << outcome;
}

TEST(Counts, plain_writes_use_no_stdio) {
  Outcome outcome = traced_to_null({demo("write_demo"), "100000"});
  EXPECT_TRUE(matches(outcome.stream("stdout"), R"({
    "calls": 100000, "calls_by_name": {"write": 100000}, "bytes": 3700000, "stdio": null,
    "size_histogram": [{"up_to": 64, "calls": 100000}]})"));
  EXPECT_TRUE(matches(outcome.report.at("coverage"),
                      R"({"complete": true, "kernel_calls": 100000, "counted_calls": 100000})"));
}

TEST(Counts, twenty_buffered_lines_are_one_call) {
  Outcome outcome = traced({demo("printf_demo"), "20"});
  EXPECT_EQ(outcome.out.size(), 740u);
  EXPECT_TRUE(matches(outcome.stream("stdout"), R"({
    "target": {"kind": "pipe"}, "calls": 1, "bytes": 740,
    "stdio": {"calls": 20, "buffering": "full", "flush_causes": {"exit": 1}}})"));
}

TEST(Counts, on_a_terminal_each_line_is_a_call) {
  Command command({demo("printf_demo"), "500"});
  Outcome outcome = command.stdout_to(terminal()).traced().wait();
  EXPECT_EQ(outcome.out.size(), 500u * 37);
  EXPECT_TRUE(matches(outcome.stream("stdout"), R"({
    "target": {"kind": "tty"}, "calls": 500, "bytes": 18500, "newline_terminated_calls": 500,
    "stdio": {"calls": 500, "buffering": "line", "flush_causes": {"newline": 500}}})"));
  EXPECT_EQ(outcome.report.at("coverage").at("complete"), true) << outcome;
}

TEST(Counts, sizes_are_sorted_into_powers_of_two) {
  Outcome outcome = traced_to_null(
      {victim("write_sizes"), "1", "1", "2n", "3", "4n", "37n", "4096", "4097", "65536"});
  EXPECT_TRUE(matches(outcome.stream("stdout"), R"({
    "calls": 8, "bytes": 73776, "newline_terminated_calls": 3,
    "bytes_per_call": {"mean": 9222, "min": 1, "max": 65536},
    "size_histogram": [{"up_to": 1, "calls": 1}, {"up_to": 2, "calls": 1}, {"up_to": 4, "calls": 2},
                       {"up_to": 64, "calls": 1}, {"up_to": 4096, "calls": 1},
                       {"up_to": 8192, "calls": 1}, {"up_to": 65536, "calls": 1}]})"));
}

TEST(Counts, a_write_of_nothing_is_a_call) {
  Outcome outcome = traced_to_null({victim("write_sizes"), "1", "0", "5"});
  EXPECT_TRUE(matches(outcome.stream("stdout"), R"({
    "calls": 2, "succeeded_calls": 2, "bytes": 5, "bytes_per_call": {"min": 0, "max": 5}})"));
}

TEST(Counts, write_in_signal_handler_is_counted) {
  Outcome outcome = traced_to_null({victim("signal_writer")});
  ASSERT_EQ(outcome.code, 0) << outcome;
  const uint64_t writes = std::stoull(outcome.err);
  EXPECT_EQ(outcome.stream("stdout").at("calls"), writes);
  EXPECT_EQ(outcome.stream("stdout").at("bytes"), writes);
  EXPECT_EQ(outcome.report.at("coverage").at("complete"), true) << outcome.report.at("coverage");
}

TEST(Counts, the_call_that_a_signal_ends_is_unfinished) {
  Command command({demo("write_demo"), "20"});
  Outcome outcome = command.stdout_to(pipe_without_reader()).traced().wait();
  EXPECT_EQ(outcome.signal, SIGPIPE) << outcome;
  EXPECT_TRUE(matches(outcome.stream("stdout"), R"({
    "calls": 1, "succeeded_calls": 0, "unfinished_calls": 1, "bytes": 0, "errors": {},
    "bytes_per_call": {"mean": null, "min": null, "max": null}, "size_histogram": []})"));
  EXPECT_TRUE(matches(outcome.report, R"({"exit": {"code": null, "signal": "SIGPIPE"}})"));
}

TEST(Counts, the_call_that_a_cancellation_ends_is_unfinished) {
  for (const char* call : {"write", "fwrite"}) {
    Outcome outcome = traced({victim("cancelled_write"), call});
    EXPECT_EQ(outcome.code, 0) << outcome;
    EXPECT_TRUE(matches(outcome.stream("other"), R"({
      "calls": 1, "calls_by_name": {"write": 1}, "succeeded_calls": 0, "unfinished_calls": 1})"))
        << call;
  }
}

}  // namespace
}  // namespace iotrace::test
