// The tests' own tool is tested first: when these fail, no result of the scenarios means anything.
#include "tests/support/command.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace iotrace::test {
namespace {

TEST(CommandTest, both_streams_and_the_exit_code_arrive) {
  Outcome outcome = run({"sh", "-c", "echo out; echo err >&2; exit 3"});
  EXPECT_EQ(outcome.code, 3) << outcome;
  EXPECT_EQ(outcome.out, "out\n");
  EXPECT_EQ(outcome.err, "err\n");
}

TEST(CommandTest, death_by_signal_is_no_exit_code) {
  Outcome outcome = run({"sh", "-c", "kill -TERM $$"});
  EXPECT_EQ(outcome.code, std::nullopt);
  EXPECT_EQ(outcome.signal, SIGTERM);
}

TEST(CommandTest, only_the_named_descriptors_are_open) {
  // The 3 is the listing's own directory.
  Outcome outcome = run({"ls", "/proc/self/fd"});
  EXPECT_EQ(outcome.out, "0\n1\n2\n3\n");
  Command two_closed({"ls", "/proc/self/fd"});
  EXPECT_EQ(two_closed.stdin_from(closed()).stderr_to(closed()).wait().out, "0\n1\n");
}

TEST(CommandTest, more_than_a_pipe_holds_arrives_whole) {
  Outcome outcome = run({"head", "-c", "3000000", "/dev/zero"});
  EXPECT_EQ(outcome.out.size(), 3000000u);
}

TEST(CommandTest, a_terminal_is_one_and_passes_text_unchanged) {
  Command shell({"sh", "-c", "test -t 1 && test -t 2 && printf 'a\\nb\\n' && printf c >&2"});
  Outcome outcome = shell.stdout_to(terminal()).stderr_to(terminal()).wait();
  EXPECT_EQ(outcome.code, 0) << outcome;
  EXPECT_EQ(outcome.out, "a\nb\nc");
}

TEST(CommandTest, the_interrupt_key_of_a_controlling_terminal_works) {
  Command shell({"sh", "-c", "echo ready; exec sleep 60"});
  shell.stdin_from(terminal()).stdout_to(terminal()).in_terminal_session().start();
  ASSERT_TRUE(shell.wait_for_output("ready"));
  shell.type("\x03");
  EXPECT_EQ(shell.wait().signal, SIGINT);
}

TEST(CommandTest, text_for_stdin_and_the_environment_arrive) {
  Command shell({"sh", "-c", "cat; echo $GREETING ${HOME-nowhere}; pwd"});
  shell.stdin_from(pipe_with("typed\n")).env("GREETING", "hello").without_env("HOME");
  EXPECT_EQ(shell.in_directory("/").wait().out, "typed\nhello nowhere\n/\n");
}

TEST(CommandTest, a_pipe_without_reader_kills_the_writer) {
  Command yes({"yes"});
  EXPECT_EQ(yes.stdout_to(pipe_without_reader()).wait().signal, SIGPIPE);
}

TEST(CommandTest, another_user_can_be_had_by_root) {
  if (!running_as_root()) GTEST_SKIP() << "only root can become another user";
  Command id({"id", "-u"});
  EXPECT_EQ(id.as_nobody().wait().out, "65534\n");
}

TEST(CommandTest, a_descendant_that_lives_on_does_not_hold_the_test_up) {
  Outcome outcome = run({"sh", "-c", "sleep 600 & echo $!"});
  ASSERT_FALSE(outcome.out.empty());
  EXPECT_EQ(kill(std::stoi(outcome.out), SIGKILL), 0);
}

}  // namespace
}  // namespace iotrace::test
