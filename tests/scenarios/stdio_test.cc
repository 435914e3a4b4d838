// Scenarios: what iotrace says of stdio: calls, buffering, why it flushed, and what was lost in a
// buffer.
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/support/command.h"
#include "tests/support/json_match.h"
#include "tests/support/paths.h"

namespace iotrace::test {
namespace {

Outcome move(const std::string& name) { return traced({victim("stdio_moves"), name}); }

TEST(Stdio, explicit_and_empty_fflush) {
  EXPECT_TRUE(matches(move("fflush").stream("stdout"), R"({
    "calls": 10, "bytes": 70, "newline_terminated_calls": 10,
    "stdio": {"calls": 10, "buffering": "full", "flush_causes": {"fflush": 10},
              "fflush_calls": 12, "fflush_empty_calls": 2, "unflushed_bytes": 0}})"));
}

TEST(Stdio, fflush_of_all_streams) {
  EXPECT_TRUE(matches(move("fflush-null").stream("stdout"), R"({
    "calls": 1, "bytes": 10, "stdio": {"flush_causes": {"fflush": 1}}})"));
}

TEST(Stdio, fclose) {
  EXPECT_TRUE(matches(move("fclose").stream("stdout"), R"({
    "calls": 1, "bytes": 12,
    "stdio": {"calls": 1, "flush_causes": {"close": 1}, "fflush_calls": 0}})"));
}

TEST(Stdio, line_buffering_asked_for_where_it_is_not_the_default) {
  EXPECT_TRUE(matches(move("line").stream("stdout"), R"({
    "calls": 10, "bytes": 70,
    "stdio": {"calls": 10, "buffering": "line", "flush_causes": {"newline": 10}}})"));
}

TEST(Stdio, a_buffer_of_the_programs_own) {
  EXPECT_TRUE(matches(move("big-buffer").stream("stdout"), R"({
    "calls": 2, "bytes": 70000, "bytes_per_call": {"min": 4464, "max": 65536},
    "stdio": {"calls": 10000, "buffering": "full", "buffer_bytes": 65536,
              "flush_causes": {"full": 1, "exit": 1}}})"));
}

TEST(Stdio, what_is_larger_than_the_buffer_goes_out_directly) {
  EXPECT_TRUE(matches(move("large-fwrite").stream("stdout"), R"({
    "calls": 2, "bytes": 100000,
    "stdio": {"calls": 1, "buffering": "full", "flush_causes": {"direct": 1, "exit": 1}}})"));
}

TEST(Stdio, stdio_and_raw_writes_mixed) {
  Outcome outcome = move("mixed");
  EXPECT_EQ(outcome.out, "straight\nthrough stdio\n");
  EXPECT_TRUE(matches(outcome.stream("stdout"), R"({
    "calls": 2, "calls_by_name": {"write": 2}, "bytes": 23,
    "stdio": {"calls": 1, "buffering": "mixed", "calls_by_buffering": {"full": 1, "none": 1},
              "flush_causes": {"exit": 1}}})"));
}

TEST(Stdio, wide_characters) {
  Outcome outcome = move("wide");
  EXPECT_EQ(outcome.out.size(), 35u);
  const auto& out = outcome.stream("stdout");
  EXPECT_TRUE(matches(out, R"({"bytes": 35, "stdio": {"calls": 5, "unflushed_bytes": 0}})"));
  // Into how many pieces a wide buffer is cut when it is converted is the C library's own affair.
  EXPECT_GE(out.at("calls"), 1);
  EXPECT_EQ(out.at("stdio").at("flush_causes"), nlohmann::json({{"exit", out.at("calls")}}));
}

TEST(Stdio, unbuffered_stderr) {
  EXPECT_TRUE(matches(move("stderr").stream("stderr"), R"({
    "calls": 10, "bytes": 70,
    "stdio": {"calls": 10, "buffering": "unbuffered", "buffer_bytes": 0,
              "flush_causes": {"unbuffered": 10}}})"));
}

TEST(Stdio, inlined_putc_unlocked_makes_the_count_inexact) {
  EXPECT_TRUE(matches(traced({victim("putc_unlocked")}).stream("stdout"), R"({
    "calls": 3, "bytes": 10000,
    "stdio": {"calls_exact": false, "flush_causes": {"full": 2, "exit": 1}}})"));
}

TEST(Stdio, cplusplus_streams_with_endl) {
  TempDir dir;
  Outcome outcome = traced({victim("iostreams"), dir.file("lines")});
  EXPECT_TRUE(matches(outcome.stream("stdout"), R"({
    "calls": 10, "bytes": 70, "newline_terminated_calls": 10,
    "stdio": {"buffering": "full", "flush_causes": {"fflush": 10}}})"));
  EXPECT_TRUE(matches(outcome.stream("stderr"), R"({
    "calls": 3, "bytes": 18, "stdio": {"flush_causes": {"unbuffered": 3}}})"));
  EXPECT_TRUE(matches(outcome.stream("other"), R"({"calls": 5, "bytes": 35, "stdio": null})"));
}

TEST(Stdio, the_last_flush_comes_after_every_destructor) {
  Outcome outcome = traced({victim("exit_flush")});
  EXPECT_EQ(outcome.out, "main\natexit\ndestructor\n");
  EXPECT_TRUE(matches(outcome.stream("stdout"), R"({
    "calls": 1, "bytes": 23,
    "stdio": {"calls": 3, "flush_causes": {"exit": 1}, "unflushed_bytes": 0}})"));
}

struct Loss {
  const char* way;
  int signal;
};

class LostOutput : public testing::TestWithParam<Loss> {};

TEST_P(LostOutput, is_reported) {
  Outcome outcome = move(GetParam().way);
  EXPECT_EQ(outcome.signal, GetParam().signal) << outcome;
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(matches(outcome.stream("stdout"), R"({
    "calls": 0, "bytes": 0, "stdio": {"calls": 1, "flush_causes": {}, "unflushed_bytes": 19}})"));
}

INSTANTIATE_TEST_SUITE_P(Ways, LostOutput,
                         testing::Values(Loss{"_exit", 0}, Loss{"quick_exit", 0},
                                         Loss{"abort", SIGABRT}, Loss{"sigkill", SIGKILL},
                                         Loss{"crash", SIGSEGV}),
                         [](const auto& param) { return "by_" + std::string(param.param.way); });

TEST(Stdio, a_buffer_inherited_over_fork_goes_out_twice) {
  Outcome outcome = move("fork");
  EXPECT_EQ(outcome.out, "twice\ntwice\n");
  EXPECT_TRUE(matches(outcome.stream("stdout"), R"({
    "calls": 2, "bytes": 12,
    "stdio": {"calls": 1, "flush_causes": {"exit": 2}, "unflushed_bytes": 0}})"));
}

}  // namespace
}  // namespace iotrace::test
