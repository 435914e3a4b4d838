// Scenarios: signals for the run reach the program once, whichever way they come, and the report
// comes all the same. The victim waits for a signal and tells how many it got.
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/support/command.h"
#include "tests/support/paths.h"

namespace iotrace::test {
namespace {

void expect_one_signal_and_a_report(const Outcome& outcome) {
  EXPECT_EQ(outcome.code, 0) << outcome;
  EXPECT_EQ(outcome.out, "ready\nsignals 1\n");
  ASSERT_TRUE(outcome.report.is_object());
  EXPECT_EQ(outcome.stream("stdout").at("calls"), 2);
}

class SignalForTheRun : public testing::TestWithParam<int> {};

TEST_P(SignalForTheRun, sent_to_the_launcher_reaches_the_program_once) {
  Command command({victim("count_signals")});
  command.in_own_group().traced().start();
  ASSERT_TRUE(command.wait_for_output("ready"));
  command.send(GetParam());
  expect_one_signal_and_a_report(command.wait());
}

TEST_P(SignalForTheRun, sent_to_the_group_reaches_the_program_once) {
  Command command({victim("count_signals")});
  command.in_own_group().traced().start();
  ASSERT_TRUE(command.wait_for_output("ready"));
  command.send_to_group(GetParam());
  expect_one_signal_and_a_report(command.wait());
}

TEST_P(SignalForTheRun, reaches_a_program_that_left_the_group_once) {
  Command command({victim("count_signals"), "--new-group"});
  command.in_own_group().traced().start();
  ASSERT_TRUE(command.wait_for_output("ready"));
  command.send_to_group(GetParam());
  expect_one_signal_and_a_report(command.wait());
}

INSTANTIATE_TEST_SUITE_P(Signals, SignalForTheRun,
                         testing::Values(SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2),
                         [](const auto& param) {
                           return "SIG" + std::string(sigabbrev_np(param.param));
                         });

TEST(Signals, the_interrupt_key_reaches_the_program_once) {
  Command command({victim("count_signals")});
  command.stdin_from(terminal()).stdout_to(terminal()).in_terminal_session().traced().start();
  ASSERT_TRUE(command.wait_for_output("ready"));
  command.type("\x03");
  expect_one_signal_and_a_report(command.wait());
}

TEST(Signals, timeout_sends_to_launcher_and_group_and_the_program_gets_one) {
  TempDir dir;
  Command command({"timeout", "--preserve-status", "-s", "INT", "2", iotrace_binary(), "--quiet",
                   "--export-json", dir.file("report"), victim("count_signals")});
  Outcome outcome = command.wait();
  outcome.report = nlohmann::json::parse(read_file(dir.file("report")));
  expect_one_signal_and_a_report(outcome);
}

TEST(Signals, a_program_that_dies_of_the_signal_is_reported) {
  for (int signal : {SIGTERM, SIGINT, SIGHUP}) {
    Command command({"sh", "-c", "echo ready; exec sleep 600"});
    command.in_own_group().traced().start();
    ASSERT_TRUE(command.wait_for_output("ready"));
    command.send(signal);
    Outcome outcome = command.wait();
    EXPECT_EQ(outcome.signal, signal) << outcome;
    EXPECT_EQ(outcome.stream("stdout").at("calls"), 1);
  }
}

TEST(Signals, sigchld_ignored_on_entry_does_no_harm) {
  Command command({"sh", "-c", "echo out; exit 3"});
  command.in_child([] { signal(SIGCHLD, SIG_IGN); });
  Outcome outcome = command.traced().wait();
  EXPECT_EQ(outcome.code, 3) << outcome;
  EXPECT_EQ(outcome.stream("stdout").at("calls"), 1);
}

TEST(Signals, blocked_and_ignored_signals_are_inherited) {
  Outcome outcomes[2];
  for (bool under_iotrace : {false, true}) {
    Command command({"grep", "^Sig[BI]", "/proc/self/status"});
    command.in_child([] {
      sigset_t blocked;
      sigemptyset(&blocked);
      sigaddset(&blocked, SIGUSR1);
      sigprocmask(SIG_BLOCK, &blocked, nullptr);
      for (int ignored : {SIGPIPE, SIGINT, SIGUSR2}) signal(ignored, SIG_IGN);
    });
    if (under_iotrace) command.traced();
    outcomes[under_iotrace] = command.wait();
  }
  EXPECT_EQ(outcomes[1].out, outcomes[0].out);
}

}  // namespace
}  // namespace iotrace::test
