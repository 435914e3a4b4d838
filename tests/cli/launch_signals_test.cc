// Signals during a run: each reaches the program once, however it was sent; launcher and program
// stop and continue together. The victim reports every signal that it gets as one byte on a pipe.
//
// No test relies on how long something takes: the last signal is sent to the launcher alone,
// signals are passed on in the order in which they came, and so a signal too many is in the pipe
// before the victim ends.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "launch.h"
#include "launch_harness.h"

namespace iotrace {
namespace {

constexpr int kFinish = SIGQUIT;  // ends the victim
constexpr int kStopYourself = SIGUSR2;
constexpr unsigned char kReady = 0;

void report(unsigned char byte) {
  if (write(kReportFd, &byte, 1) != 1) _exit(1);
}

// A queued signal is reported by its value, others by their number.
void on_signal(int number, siginfo_t* info, void*) {
  report(static_cast<unsigned char>(info->si_code == SI_QUEUE ? info->si_value.sival_int : number));
  if (number == kStopYourself && getenv("LAUNCH_VICTIM_STOPS") != nullptr) raise(SIGSTOP);
  if (number != kFinish) return;
  sigset_t all;
  sigfillset(&all);
  const timespec at_once = {};
  int pending;
  while ((pending = sigtimedwait(&all, nullptr, &at_once)) > 0) {
    report(static_cast<unsigned char>(pending));
  }
  _exit(0);
}

[[noreturn]] void victim_count_signals() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigfillset(&action.sa_mask);
  for (int number = 1; number <= SIGRTMAX; ++number) {
    if (number != SIGTSTP && number != SIGSEGV) sigaction(number, &action, nullptr);
  }
  if (getenv("LAUNCH_VICTIM_LEAVES") != nullptr) setpgid(0, 0);
  report(kReady);
  for (;;) pause();
}

__attribute__((constructor)) void become_victim() {
  const char* name = getenv("LAUNCH_VICTIM");
  if (name != nullptr && strcmp(name, "count_signals") == 0) victim_count_signals();
}

// SIGCONT is apart from the rest: the kernel lets it and the stop signals cancel one another.
const std::vector<int> kRelayedSignals[] = {
    {SIGHUP, SIGINT, SIGABRT, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGURG, SIGPROF, SIGVTALRM,
     SIGWINCH, SIGIO, SIGSTKFLT, SIGPWR, SIGTTIN, SIGTTOU, SIGRTMIN, SIGRTMIN + 5, SIGRTMAX},
    {SIGCONT}};

class LaunchSignals : public testing::Test {
 protected:
  ~LaunchSignals() override {
    if (reports_ >= 0) close(reports_);
  }

  // Starts a victim in a process group of its own, and waits until it is there.
  void start(
      const std::function<void()>& prepare = [] {}, const std::string& setting = "LAUNCH_TEST=1") {
    start_as_is(
        [&] {
          setpgid(0, 0);
          prepare();
        },
        setting);
  }

  void start_as_is(const std::function<void()>& prepare,
                   const std::string& setting = "LAUNCH_TEST=1") {
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
    LaunchRequest request = victim_request("count_signals");
    request.environment.push_back(setting);
    launcher_.emplace(request, [&] {
      dup2(ends[1], kReportFd);
      close(ends[1]);
      prepare();
    });
    close(ends[1]);
    if (reports_ >= 0) close(reports_);
    reports_ = ends[0];
    received_.clear();
    ASSERT_EQ(next_report(), kReady);
  }

  pid_t launcher() const { return launcher_->pid(); }
  pid_t program() const { return launcher_->record().program; }

  // Blocks until the victim reports something; -1 when it has ended.
  int next_report() {
    unsigned char byte;
    if (read(reports_, &byte, 1) != 1) return -1;
    ++received_[byte];
    return byte;
  }

  // Ends the victim; afterwards received_ is complete.
  void finish() {
    kill(launcher(), kFinish);
    // The forked launcher holds the pipe open too, so the end of file comes after its end.
    const LaunchRecord& record = launcher_->finish();
    while (next_report() != -1) continue;
    EXPECT_FALSE(record.result.signaled);
    EXPECT_EQ(record.result.code, 0);
    EXPECT_EQ(received_[kFinish], 1);
  }

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

  std::optional<ForkedLauncher> launcher_;
  int reports_ = -1;
  std::map<int, int> received_;
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

class LaunchStops : public LaunchSignals {
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
