// Stopping and continuing: the launcher follows the program, and never stays stopped without it.
#include <signal.h>

#include "launch_signals_harness.h"

namespace iotrace {
namespace {

class LaunchStops : public SignalledLaunch {
 protected:
  void start_and_stop_program() {
    start([] {}, "LAUNCH_VICTIM_STOPS=1");
    kill(launcher(), kStopYourself);
    EXPECT_EQ(next_report(), kStopYourself);
    EXPECT_EQ(launcher_->wait_for_stop(), SIGSTOP);
  }
  void expect_continued_once() {
    EXPECT_EQ(next_report(), SIGCONT);
    finish();
    EXPECT_EQ(received_[SIGCONT], 1);
  }
};

TEST_F(LaunchStops, with_the_program_and_continues_it) {
  start_and_stop_program();
  kill(launcher(), SIGCONT);
  expect_continued_once();
}

TEST_F(LaunchStops, with_the_program_and_continues_with_the_group) {
  start_and_stop_program();
  kill(-launcher(), SIGCONT);
  expect_continued_once();
}

TEST_F(LaunchStops, not_for_longer_than_the_program_is_stopped) {
  start_and_stop_program();
  kill(program(), SIGCONT);
  expect_continued_once();
}

TEST_F(LaunchStops, not_when_the_stopped_program_is_killed) {
  start_and_stop_program();
  kill(program(), SIGKILL);
  const LaunchResult& result = launcher_->finish().result;
  EXPECT_TRUE(result.signaled);
  EXPECT_EQ(result.code, SIGKILL);
}

TEST_F(LaunchStops, by_the_programs_own_signal) {
  for (const bool whole_group : {false, true}) {
    start();
    kill(whole_group ? -launcher() : launcher(), SIGTSTP);
    EXPECT_EQ(launcher_->wait_for_stop(), SIGTSTP);
    kill(-launcher(), SIGCONT);
    expect_continued_once();
  }
}

TEST_F(LaunchStops, many_times) {
  start([] {}, "LAUNCH_VICTIM_STOPS=1");
  for (int i = 0; i < 10; ++i) {
    kill(launcher(), kStopYourself);
    EXPECT_EQ(next_report(), kStopYourself);
    launcher_->wait_for_stop();
    kill(i % 2 == 0 ? launcher() : -launcher(), SIGCONT);
    EXPECT_EQ(next_report(), SIGCONT);
  }
  finish();
  EXPECT_EQ(received_[SIGCONT], 10);
}

}  // namespace
}  // namespace iotrace
