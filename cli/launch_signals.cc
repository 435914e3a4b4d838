// Passing signals on, stopping and continuing: see launch_signals.h. Launcher only, in its one
// thread.
#include "launch_signals.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <initializer_list>

#include "launch_state.h"

namespace iotrace {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr timespec kAtOnce = {};
// How long a signal is held before it is passed on: time for a sender that signals the launcher and
// then the group, and for the canary to be scheduled.
constexpr int64_t kHoldNs = 40'000'000;
// How much earlier than the launcher could have seen a signal the canary may have seen it.
constexpr int64_t kSlackNs = 50'000'000;

bool is_one_of(int number, std::initializer_list<int> list) {
  return std::find(list.begin(), list.end(), number) != list.end();
}

bool is_stop(int number) { return is_one_of(number, {SIGTSTP, SIGTTIN, SIGTTOU}); }

// Signals that are about the launcher itself: faults, limits and its own broken pipes. SIGCHLD is
// taken, not relayed.
bool is_own(int number) {
  return is_one_of(number, {SIGKILL, SIGSTOP, SIGCHLD, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP,
                            SIGSYS, SIGPIPE, SIGXCPU, SIGXFSZ});
}

// What a terminal driver sends, it sends to a whole process group. (Not so SIGHUP: a session leader
// gets it alone.)
bool is_from_terminal(const siginfo_t& info) {
  return info.si_code == SI_KERNEL &&
         is_one_of(info.si_signo, {SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGWINCH});
}

// By the program's own stop signal if possible: the shell says which it was, and the kernel spares
// a group that nobody could continue.
void stop_self(int stop_signal) {
  raise(inherited_ignored(stop_signal) ? SIGSTOP : stop_signal);
  if (stop_signal == SIGSTOP) return;
  sigset_t only_this;
  sigemptyset(&only_this);
  sigaddset(&only_this, stop_signal);
  sigprocmask(SIG_UNBLOCK, &only_this, nullptr);
  sigprocmask(SIG_BLOCK, &only_this, nullptr);
}

// The SIGCONT that is pending, or one with the number 0.
siginfo_t take_continue() {
  sigset_t only_this;
  sigemptyset(&only_this);
  sigaddset(&only_this, SIGCONT);
  siginfo_t info = {};
  if (sigtimedwait(&only_this, &info, &kAtOnce) != SIGCONT) info = {};
  return info;
}

timespec to_timespec(int64_t ns) { return {ns / kSecondNs, ns % kSecondNs}; }

}  // namespace

int64_t monotonic_ns() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kSecondNs + now.tv_nsec;
}

SignalRelay::SignalRelay() {
  sigemptyset(&taken_);
  sigaddset(&taken_, SIGCHLD);
  for (int number = 1; number <= SIGRTMAX; ++number) {
    if (!is_own(number) && !inherited_ignored(number)) sigaddset(&taken_, number);
  }
  sigprocmask(SIG_BLOCK, &taken_, &entry_mask_);
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &action, nullptr);
  last_look_ns_ = monotonic_ns();
}

SignalRelay::~SignalRelay() {
  while (sigtimedwait(&taken_, nullptr, &kAtOnce) > 0) {
  }
  sigprocmask(SIG_SETMASK, &entry_mask_, nullptr);
}

void SignalRelay::program_started(pid_t program, int64_t forked_at_ns) {
  program_ = program;
  forked_at_ns_ = forked_at_ns;
}

void SignalRelay::program_ended() {
  program_ = -1;
  held_.clear();
}

void SignalRelay::wait_until(int64_t deadline_ns) {
  if (!held_.empty()) deadline_ns = std::min(deadline_ns, held_.front().decide_at_ns);
  const int64_t now = monotonic_ns();
  const timespec timeout = to_timespec(std::max<int64_t>(0, deadline_ns - now));
  siginfo_t info = {};
  const int number = sigtimedwait(&taken_, &info, &timeout);
  if (number > 0 && number != SIGCHLD) receive(info);
  last_look_ns_ = now;
  decide_held();
}

void SignalRelay::receive(const siginfo_t& info) {
  if (program_ == -1) {
    if (is_stop(info.si_signo)) stop_self(info.si_signo);
    told_to_end_ = told_to_end_ || is_one_of(info.si_signo, {SIGINT, SIGTERM, SIGHUP, SIGQUIT});
    return;
  }
  // As the kernel does with pending ones. It has done so for the canary, which may have seen
  // neither.
  if (info.si_signo == SIGCONT) drop_held({SIGTSTP, SIGTTIN, SIGTTOU});
  if (is_stop(info.si_signo)) drop_held({SIGCONT});
  if (is_from_terminal(info)) return;
  if (info.si_code <= 0 && (info.si_pid == program_ || info.si_pid == canary_.pid())) return;
  // The signal was not there at the last look, so nobody sent it before then.
  int64_t sent_after = std::max(last_look_ns_ - kSlackNs, forked_at_ns_);
  // What the group got before the program stopped has not continued it.
  if (info.si_signo == SIGCONT) sent_after = std::max(sent_after, stopped_at_ns_);
  held_.push_back({info, sent_after, monotonic_ns() + kHoldNs});
}

void SignalRelay::drop_held(std::initializer_list<int> numbers) {
  std::erase_if(held_, [&](const Held& held) { return is_one_of(held.info.si_signo, numbers); });
}

void SignalRelay::decide_held() {
  const int64_t now = monotonic_ns();
  while (!held_.empty() && held_.front().decide_at_ns <= now) {
    const Held signal = held_.front();
    held_.erase(held_.begin());
    // A program that has left our group (a shell, a daemon) gets nothing that the group is sent.
    const bool in_our_group = getpgid(program_) == getpgrp();
    if (in_our_group && canary_.saw(signal.info.si_signo, signal.sent_after_ns)) continue;
    pass_on(signal.info);
  }
}

void SignalRelay::pass_on(const siginfo_t& info) {
  if (info.si_code == SI_QUEUE) {
    sigqueue(program_, info.si_signo, info.si_value);
  } else {
    kill(program_, info.si_signo);
  }
}

void SignalRelay::stop_with_program(int stop_signal) {
  const int64_t now = monotonic_ns();
  // Without the canary nobody would wake us if the program alone were continued. And it may run
  // again by now.
  if (!canary_.alive() || !is_stopped(program_)) return;
  stopped_at_ns_ = now;
  drop_held({SIGCONT});
  canary_.wake_launcher_unless_stopped(program_);
  // One that is here already came after the stop: SIGCHLD has the lower number and was taken first.
  siginfo_t continued = take_continue();
  // The canary may have meant an earlier stop.
  const auto is_stray = [&] { return continued.si_pid == canary_.pid() && is_stopped(program_); };
  if (continued.si_signo == 0 || is_stray()) {
    do {
      stop_self(stop_signal);
      continued = take_continue();
    } while (is_stray());
  }
  canary_.wake_launcher_unless_stopped(0);
  if (continued.si_signo != 0) receive(continued);
}

}  // namespace iotrace
