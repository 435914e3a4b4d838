// What the full-screen programs do with the terminal, and that they give it back whatever ends
// them.
#include "tests/demos/tui_terminal.h"

#include <gtest/gtest.h>

#include <regex>

#include "tests/support/paths.h"

namespace iotrace::test {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The title as it is drawn in a window so wide: bold, in the middle.
std::string title(const std::string& name, size_t columns) {
  return std::string((columns - name.size()) / 2, ' ') + "\x1b[1m" + name + "\x1b[0m";
}

void expect_given_back(const TuiRun& tui, const Outcome& outcome) {
  EXPECT_TRUE(same_settings(tui.before(), tui.after()));
  const size_t entered = outcome.out.rfind(kEnterScreen);
  const size_t left = outcome.out.rfind(kLeaveScreen);
  ASSERT_NE(entered, std::string::npos);
  ASSERT_NE(left, std::string::npos);
  EXPECT_LT(entered, left);
  EXPECT_GT(outcome.out.rfind(kShowCursor), outcome.out.rfind(kHideCursor));
  // Nothing of the picture after the alternate screen is left.
  EXPECT_FALSE(contains(outcome.out.substr(left), "\u2580"));
}

TEST(TuiTerminalTest, the_terminal_is_taken_over_and_q_gives_it_back) {
  TuiRun tui({demo("tui_demo")}, 40, 10);
  ASSERT_TRUE(tui.start_and_see(title("stdout", 40)));
  const termios raw = tui.now();
  EXPECT_EQ(raw.c_lflag & (ICANON | ECHO | ISIG), 0u);
  EXPECT_EQ(raw.c_oflag & OPOST, 0u);
  tui.command().type("q");
  Outcome outcome = tui.wait();
  EXPECT_EQ(outcome.code, 0) << outcome;
  expect_given_back(tui, outcome);
  EXPECT_TRUE(contains(outcome.out, kHideCursor));
  EXPECT_TRUE(contains(outcome.out, " frames per second on stdout\r\n")) << outcome;
}

class TuiSignalTest : public testing::TestWithParam<int> {};

TEST_P(TuiSignalTest, a_deadly_signal_gives_the_terminal_back_and_kills) {
  for (const char* stream : {"stdout", "stderr"}) {
    TuiRun tui({demo("tui_demo"), "--stream", stream}, 40, 10);
    ASSERT_TRUE(tui.start_and_see(title(stream, 40)));
    EXPECT_FALSE(same_settings(tui.before(), tui.now()));
    tui.command().send(GetParam());
    Outcome outcome = tui.wait();
    EXPECT_EQ(outcome.signal, GetParam()) << outcome;
    expect_given_back(tui, outcome);
  }
}

INSTANTIATE_TEST_SUITE_P(All, TuiSignalTest,
                         testing::Values(SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT),
                         [](const auto& test) { return std::string(sigabbrev_np(test.param)); });

TEST(TuiTerminalTest, the_interrupt_key_interrupts_in_raw_mode_too) {
  TuiRun tui({demo("tui_demo")}, 40, 10);
  ASSERT_TRUE(tui.start_and_see(title("stdout", 40)));
  tui.command().type("\x03");
  Outcome outcome = tui.wait();
  EXPECT_EQ(outcome.signal, SIGINT) << outcome;
  expect_given_back(tui, outcome);
}

TEST(TuiTerminalTest, a_hangup_that_is_ignored_does_not_end_it) {
  TuiRun tui({"sh", "-c", "trap '' HUP; exec " + demo("tui_demo")}, 40, 10);
  ASSERT_TRUE(tui.start_and_see(title("stdout", 40)));
  tui.command().send(SIGHUP);
  tui.command().type("q");
  Outcome outcome = tui.wait();
  EXPECT_EQ(outcome.code, 0) << outcome;
  expect_given_back(tui, outcome);
}

TEST(TuiTerminalTest, space_moves_the_picture_to_the_other_stream_and_back) {
  // The duration ends a program that does not react.
  TuiRun tui({demo("tui_demo"), "--duration", "30"}, 40, 10);
  ASSERT_TRUE(tui.start_and_see(title("stdout", 40)));
  tui.command().type(" ");
  ASSERT_TRUE(tui.command().wait_for_output(title("stderr", 40)));
  tui.command().type("q");
  Outcome outcome = tui.wait();
  EXPECT_EQ(outcome.code, 0) << outcome;
  EXPECT_TRUE(contains(outcome.out, " frames per second on stderr\r\n")) << outcome;
  expect_given_back(tui, outcome);
}

TEST(TuiTerminalTest, space_stays_where_the_other_stream_is_no_terminal) {
  TuiRun tui({demo("tui_demo")}, 40, 10);
  tui.command().stderr_to(pipe_to_test());
  ASSERT_TRUE(tui.start_and_see(title("stdout", 40)));
  tui.command().type(" q");
  Outcome outcome = tui.wait();
  EXPECT_EQ(outcome.code, 0) << outcome;
  EXPECT_TRUE(contains(outcome.err, " frames per second on stdout\n")) << outcome;
  EXPECT_FALSE(contains(outcome.err, "\u2580"));
}

TEST(TuiTerminalTest, a_change_of_the_window_is_followed) {
  // The duration ends a program that does not react.
  TuiRun tui({demo("tui_demo"), "--duration", "30"}, 40, 10);
  ASSERT_TRUE(tui.start_and_see(title("stdout", 40)));
  tui.resize(60, 15);
  ASSERT_TRUE(tui.command().wait_for_output(title("stdout", 60)));
  ASSERT_TRUE(tui.command().wait_for_output("\x1b[15;1H\x1b[38;5;"));
  tui.command().type("q");
  Outcome outcome = tui.wait();
  EXPECT_EQ(outcome.code, 0) << outcome;
  EXPECT_FALSE(contains(outcome.out, "\x1b[16;1H"));
}

TEST(TuiTerminalTest, the_counter_at_the_right_end_changes_after_a_second) {
  TuiRun tui({demo("tui_demo"), "--duration", "2.5", "--frame-cap", "4"}, 40, 10);
  // The right end: the next row follows at once.
  ASSERT_TRUE(tui.start_and_see(" ... fps\x1b[2;1H"));
  Outcome outcome = tui.wait();
  EXPECT_EQ(outcome.code, 0) << outcome;
  EXPECT_TRUE(std::regex_search(outcome.out, std::regex(" [0-9]+\\.[0-9] fps\x1b\\[2;1H")));
}

TEST(TuiTerminalTest, simple_tui_draws_its_box_again_at_another_size_and_waits_for_q) {
  TuiRun tui({demo("simple_tui")}, 30, 20);
  const std::string corner = "\u2518";
  ASSERT_TRUE(tui.start_and_see(corner));
  EXPECT_FALSE(same_settings(tui.before(), tui.now()));
  tui.command().type("x");
  tui.resize(50, 12);
  ASSERT_TRUE(tui.command().wait_for_output("\x1b[12;1H\u2514"));
  tui.command().type("q");
  Outcome outcome = tui.wait();
  EXPECT_EQ(outcome.code, 0) << outcome;
  EXPECT_TRUE(contains(outcome.out, "\x1b[20;1H\u2514"));
  EXPECT_TRUE(contains(outcome.out, "q: go"));
  expect_given_back(tui, outcome);
}

TEST(TuiTerminalTest, simple_tui_gives_the_terminal_back_when_it_crashes) {
  TuiRun tui({demo("simple_tui")}, 30, 20);
  ASSERT_TRUE(tui.start_and_see("\u2518"));
  tui.command().send(SIGSEGV);
  Outcome outcome = tui.wait();
  EXPECT_EQ(outcome.signal, SIGSEGV) << outcome;
  expect_given_back(tui, outcome);
}

}  // namespace
}  // namespace iotrace::test
