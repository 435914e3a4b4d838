// Scenarios: what iotrace could not see, it says: static programs, system calls past every library,
// and what the kernel's own count tells of them.
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/support/command.h"
#include "tests/support/json_match.h"
#include "tests/support/paths.h"

namespace iotrace::test {
namespace {

TEST(Coverage, a_static_program_runs_unharmed_and_is_named) {
  Outcome outcome = traced({victim("static_writer")});
  EXPECT_EQ(outcome.code, 0) << outcome;
  EXPECT_EQ(outcome.out.size(), 35u);
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(matches(outcome.report.at("coverage"), R"({
    "complete": false, "kernel_calls": 5, "counted_calls": 0, "unseen_calls": 5,
    "not_instrumented": 1})"));
  EXPECT_TRUE(matches(outcome.report.at("processes").at(0), R"({
    "instrumented": false, "not_instrumented_because": "static", "counting": null, "calls": 0,
    "exit": {"code": 0, "signal": null}})"));
}

TEST(Coverage, a_static_child_is_named_beside_a_parent_that_is_seen) {
  Outcome outcome = traced({"sh", "-c", "echo shell; '" + victim("static_writer") + "'; exit 6"});
  EXPECT_EQ(outcome.code, 6) << outcome;
  EXPECT_TRUE(matches(outcome.report.at("coverage"), R"({
    "complete": false, "kernel_calls": 6, "counted_calls": 1, "unseen_calls": 5,
    "not_instrumented": 1})"));
}

TEST(Coverage, a_program_without_libc_runs_unharmed) {
  Outcome outcome = traced({victim("no_libc_writer")});
  EXPECT_EQ(outcome.code, 4) << outcome;
  EXPECT_EQ(outcome.out.size(), 40u);
  EXPECT_TRUE(matches(outcome.report.at("coverage"),
                      R"({"complete": false, "kernel_calls": 5, "unseen_calls": 5})"));
}

TEST(Coverage, inline_system_calls_are_unseen_and_counted_as_such) {
  Outcome outcome = traced({victim("inline_calls"), "25"});
  EXPECT_TRUE(matches(outcome.report.at("coverage"), R"({
    "complete": false, "kernel_calls": 25, "counted_calls": 0, "unseen_calls": 25,
    "not_instrumented": 0})"));
  EXPECT_EQ(outcome.report.at("processes").at(0).at("instrumented"), true);
}

TEST(Coverage, unseen_calls_do_not_hide_behind_an_orphans_counted_ones) {
  Outcome outcome = traced({victim("inline_calls"), "1000", "orphan"});
  EXPECT_TRUE(
      matches(outcome.report.at("coverage"), R"({"complete": false, "unseen_calls": 1000})"));
  EXPECT_EQ(outcome.stream("stdout").at("calls"), 1000);
}

TEST(Coverage, orphans_are_audited_themselves) {
  Outcome outcome = traced({victim("inline_calls"), "0", "orphan"});
  const auto& coverage = outcome.report.at("coverage");
  EXPECT_EQ(outcome.stream("stdout").at("calls"), 1000);
  EXPECT_EQ(coverage.at("unseen_calls"), 0);
  if (coverage.at("complete") == nullptr && !running_as_root()) {
    // The kernel shows an ended process's count to root alone: then the report says what it could
    // not check.
    EXPECT_EQ(coverage.at("unaudited").size(), 1u) << coverage;
    EXPECT_EQ(coverage.at("not_auditable_calls"), 1000);
  } else {
    EXPECT_TRUE(matches(coverage, R"({
      "complete": true, "kernel_calls": 1000, "counted_calls": 1000, "unaudited": []})"));
  }
}

TEST(Coverage, a_tree_of_processes_is_complete) {
  Outcome outcome = traced({"sh", "-c", "echo a; (echo b; sh -c 'echo c | cat') | cat; ls /dev"});
  EXPECT_TRUE(matches(outcome.report.at("coverage"), R"({
    "complete": true, "unseen_calls": 0, "not_instrumented": 0, "unaudited": []})"));
  EXPECT_EQ(outcome.stream("stdout").at("bytes"), outcome.out.size());
}

TEST(Coverage, descendants_that_live_on_are_listed_as_running) {
  TempDir dir;
  // The program ends when its child has shown that it is there.
  Command command(
      {"sh", "-c",
       "mkfifo up; (echo >up; exec sleep 600 >/dev/null 2>&1) & read line <up; echo $!"});
  Outcome outcome = command.in_directory(dir.path()).traced().wait();
  ASSERT_EQ(outcome.code, 0) << outcome;
  const int pid = std::stoi(outcome.out);
  EXPECT_EQ(kill(pid, SIGKILL), 0);
  int running = 0;
  for (const auto& image : outcome.report.at("processes")) {
    if (image.at("running") == true) {
      ++running;
      EXPECT_EQ(image.at("pid"), pid);
      EXPECT_EQ(image.at("exit"), nullptr);
    }
  }
  EXPECT_EQ(running, 1) << outcome.report;
  EXPECT_NE(outcome.report.at("coverage").at("complete"), true);
  EXPECT_EQ(outcome.report.at("coverage").at("unaudited").size(), 1u) << outcome.report;
}

TEST(Coverage, a_descendant_that_nobody_announced_and_that_lives_on_is_not_forgotten) {
  Outcome outcome = traced({victim("silent_child")});
  ASSERT_EQ(outcome.code, 0) << outcome;
  const int pid = std::stoi(outcome.out);
  EXPECT_EQ(kill(pid, SIGKILL), 0);
  const auto& coverage = outcome.report.at("coverage");
  EXPECT_NE(coverage.at("complete"), true);
  ASSERT_EQ(coverage.at("unaudited").size(), 1u) << outcome.report;
  EXPECT_EQ(coverage.at("unaudited").at(0).at("pid"), pid);
}

}  // namespace
}  // namespace iotrace::test
