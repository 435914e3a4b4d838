// For the tests of signals and stops: a victim that reports every signal that it gets as one byte
// on a pipe, and a fixture that starts it under a launcher.
//
// No test relies on how long something takes. The signal that ends the victim is sent last, to the
// launcher alone, and has the highest number: whatever else is pending is taken before it, so a
// signal too many is in the pipe before the victim ends.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "launch_harness.h"

namespace iotrace {

// Ends the victim. A function, since the number comes from libc and the victim starts before
// constants are set.
inline int finish_signal() { return SIGRTMAX; }

inline constexpr int kStopYourself = SIGUSR2;
inline constexpr unsigned char kReady = 0;

inline void report(unsigned char byte) {
  if (write(kReportFd, &byte, 1) != 1) _exit(1);
}

// A queued signal is reported by its value, others by their number.
inline void on_signal(int number, siginfo_t* info, void*) {
  report(static_cast<unsigned char>(info->si_code == SI_QUEUE ? info->si_value.sival_int : number));
  if (number == kStopYourself && getenv("LAUNCH_VICTIM_STOPS") != nullptr) raise(SIGSTOP);
  if (number != finish_signal()) return;
  sigset_t all;
  sigfillset(&all);
  const timespec at_once = {};
  int pending;
  while ((pending = sigtimedwait(&all, nullptr, &at_once)) > 0) {
    report(static_cast<unsigned char>(pending));
  }
  _exit(0);
}

[[noreturn]] inline void victim_count_signals() {
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

__attribute__((constructor)) inline void become_counting_victim() {
  const char* name = getenv("LAUNCH_VICTIM");
  if (name != nullptr && strcmp(name, "count_signals") == 0) victim_count_signals();
}

class SignalledLaunch : public testing::Test {
 protected:
  ~SignalledLaunch() override {
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
    kill(launcher(), finish_signal());
    // The forked launcher holds the pipe open too, so the end of file comes after its end.
    const LaunchRecord& record = launcher_->finish();
    while (next_report() != -1) continue;
    EXPECT_FALSE(record.result.signaled);
    EXPECT_EQ(record.result.code, 0);
    EXPECT_EQ(received_[finish_signal()], 1);
  }

  std::optional<ForkedLauncher> launcher_;
  int reports_ = -1;
  std::map<int, int> received_;
};

}  // namespace iotrace
