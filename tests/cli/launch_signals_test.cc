// Signals during a run: each reaches the program once, however it was sent.
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include <string>
#include <vector>

#include "launch_signals_harness.h"

namespace iotrace {
namespace {

// SIGCONT is apart from the rest: the kernel lets it and the stop signals cancel one another.
const std::vector<int> kRelayedSignals[] = {
    {SIGHUP, SIGINT, SIGABRT, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGURG, SIGPROF, SIGVTALRM,
     SIGWINCH, SIGIO, SIGSTKFLT, SIGPWR, SIGTTIN, SIGTTOU, SIGRTMIN, SIGRTMAX - 1, SIGQUIT},
    {SIGCONT}};

class LaunchSignals : public SignalledLaunch {
 protected:
  // Sends each signal `repetitions` times in the given way, each time when the previous one has
  // been seen.
  void expect_once_each(int repetitions, const std::function<void(int)>& send) {
    for (const std::vector<int>& numbers : kRelayedSignals) {
      start();
      for (const int number : numbers) {
        for (int i = 0; i < repetitions; ++i) {
          send(number);
          EXPECT_EQ(next_report(), number);
        }
      }
      finish();
      for (const int number : numbers)
        EXPECT_EQ(received_[number], repetitions) << strsignal(number);
    }
  }
};

TEST_F(LaunchSignals, sent_to_the_launcher_are_passed_on_once) {
  expect_once_each(3, [this](int number) { kill(launcher(), number); });
}

TEST_F(LaunchSignals, sent_to_the_group_are_not_doubled) {
  expect_once_each(20, [this](int number) { kill(-launcher(), number); });
}

TEST_F(LaunchSignals, sent_to_the_launcher_then_to_the_group_are_not_doubled) {
  expect_once_each(20, [this](int number) {
    kill(launcher(), number);
    kill(-launcher(), number);
  });
}

TEST_F(LaunchSignals, sent_to_the_group_then_to_the_launcher_are_not_doubled) {
  expect_once_each(20, [this](int number) {
    kill(-launcher(), number);
    kill(launcher(), number);
  });
}

TEST_F(LaunchSignals, queued_ones_keep_order_and_value) {
  start();
  for (int value = 100; value < 120; ++value) {
    sigval with_value = {};
    with_value.sival_int = value;
    sigqueue(launcher(), SIGRTMIN + 1, with_value);
  }
  for (int value = 100; value < 120; ++value) EXPECT_EQ(next_report(), value);
  finish();
}

TEST_F(LaunchSignals, ignored_on_entry_stay_ignored) {
  start([] { signal(SIGHUP, SIG_IGN); });
  kill(launcher(), SIGHUP);
  finish();
  EXPECT_EQ(received_[SIGHUP], 0);
}

TEST_F(LaunchSignals, blocked_on_entry_are_passed_on) {
  start([] {
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_BLOCK, &blocked, nullptr);
  });
  kill(launcher(), SIGUSR1);
  finish();
  EXPECT_EQ(received_[SIGUSR1], 1);  // the victim finds it pending at its end
}

TEST_F(LaunchSignals, pending_before_the_start_are_passed_on) {
  start([] {
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_BLOCK, &blocked, nullptr);
    kill(0, SIGUSR1);
  });
  finish();
  EXPECT_EQ(received_[SIGUSR1], 1);
}

TEST_F(LaunchSignals, sent_to_its_parent_by_the_program_do_not_come_back) {
  ForkedLauncher launcher(program_request({"sh", "-c", "kill -USR1 $PPID; sleep 0.2"}));
  const LaunchResult& result = launcher.finish().result;
  EXPECT_FALSE(result.signaled);
  EXPECT_EQ(result.code, 0);
}

TEST_F(LaunchSignals, sent_to_the_launcher_reach_a_program_that_left_its_group) {
  start([] {}, "LAUNCH_VICTIM_LEAVES=1");
  kill(-launcher(), SIGTERM);
  EXPECT_EQ(next_report(), SIGTERM);
  finish();
  EXPECT_EQ(received_[SIGTERM], 1);
}

TEST_F(LaunchSignals, of_the_terminal_reach_the_program_once) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  ASSERT_GE(terminal, 0);
  ASSERT_EQ(grantpt(terminal), 0);
  ASSERT_EQ(unlockpt(terminal), 0);
  const std::string name = ptsname(terminal);
  start_as_is([&] {
    setsid();
    const int slave = open(name.c_str(), O_RDWR | O_CLOEXEC);
    ioctl(slave, TIOCSCTTY, 0);
  });
  for (int i = 1; i <= 5; ++i) {
    ASSERT_EQ(write(terminal, "\x03", 1), 1);
    EXPECT_EQ(next_report(), SIGINT);
    const winsize size = {static_cast<unsigned short>(20 + i), 80, 0, 0};
    ioctl(terminal, TIOCSWINSZ, &size);
    EXPECT_EQ(next_report(), SIGWINCH);
  }
  finish();
  EXPECT_EQ(received_[SIGINT], 5);
  EXPECT_EQ(received_[SIGWINCH], 5);
  close(terminal);
}

}  // namespace
}  // namespace iotrace
