// For the tests of the launch: runs run() in a forked child, because it changes the state of the
// whole process, and lets the test binary itself be the program that is run ("victim"), so that
// what the program sees is known exactly.
//
// A victim is chosen by the environment variable LAUNCH_VICTIM and reports on descriptor kReportFd.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "launch.h"

namespace iotrace {

inline constexpr int kReportFd = 9;

struct Reaped {
  pid_t pid;
  int code;               // CLD_EXITED, CLD_KILLED, ...
  int status;             // exit code or signal
  long long write_calls;  // syscw in /proc/PID/io, -1: not readable
};

// What the forked launcher tells the test, in shared memory.
struct LaunchRecord {
  LaunchResult result;
  std::atomic<pid_t> program;
  std::atomic<int> created_calls;
  std::atomic<int> ticks;
  std::atomic<int> reaped_count;
  Reaped reaped[8];
  bool mask_restored;
};

class RecordingObserver : public LaunchObserver {
 public:
  explicit RecordingObserver(LaunchRecord& record) : record_(record) {}
  void child_created(pid_t child) override {
    record_.program = child;
    ++record_.created_calls;
  }
  void tick() override { ++record_.ticks; }
  void about_to_reap(pid_t pid, const siginfo_t& info) override {
    Reaped& reaped = record_.reaped[record_.reaped_count];
    reaped = {pid, info.si_code, info.si_status, -1};
    const std::string path = "/proc/" + std::to_string(pid) + "/io";
    if (FILE* io = fopen(path.c_str(), "re")) {
      char line[128];
      while (fgets(line, sizeof line, io) != nullptr)
        sscanf(line, "syscw: %lld", &reaped.write_calls);
      fclose(io);
    }
    ++record_.reaped_count;
  }

 private:
  LaunchRecord& record_;
};

inline std::vector<std::string> environment_with(const std::string& addition) {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  environment.push_back(addition);
  return environment;
}

inline LaunchRequest program_request(std::vector<std::string> command) {
  return {std::move(command), environment_with("LAUNCH_TEST=1"), false};
}

inline LaunchRequest victim_request(const std::string& victim) {
  return {{"/proc/self/exe"}, environment_with("LAUNCH_VICTIM=" + victim), false};
}

// Whoever started the tests may have ignored or blocked signals (a shell does for `&`).
inline void reset_signals() {
  for (int number = 1; number <= SIGRTMAX; ++number) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// The wait status of a process that runs `body`.
inline int status_of(const std::function<void()>& body) {
  const pid_t pid = fork();
  if (pid == 0) {
    body();
    _exit(99);
  }
  int status = -1;
  waitpid(pid, &status, 0);
  return status;
}

// A launcher in a process of its own. `prepare` makes the state that "iotrace" is started with.
class ForkedLauncher {
 public:
  explicit ForkedLauncher(const LaunchRequest& request, const std::function<void()>& prepare = {}) {
    record_ = static_cast<LaunchRecord*>(mmap(nullptr, sizeof(LaunchRecord), PROT_READ | PROT_WRITE,
                                              MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    pid_ = fork();
    if (pid_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is killed leaves nothing behind
    reset_signals();
    if (prepare) prepare();
    remember_inherited_state();
    // Takes the lowest free number, as any library that the launcher uses might do.
    const int careless = open("/dev/null", O_RDONLY);
    if (careless > STDERR_FILENO) close(careless);
    sigset_t before, after;
    sigprocmask(SIG_SETMASK, nullptr, &before);
    RecordingObserver observer(*record_);
    record_->result = run(request, observer);
    sigprocmask(SIG_SETMASK, nullptr, &after);
    record_->mask_restored = true;
    for (int number = 1; number <= SIGRTMAX; ++number) {
      if (sigismember(&before, number) != sigismember(&after, number))
        record_->mask_restored = false;
    }
    _exit(0);
  }
  ~ForkedLauncher() { munmap(record_, sizeof(LaunchRecord)); }
  ForkedLauncher(const ForkedLauncher&) = delete;
  ForkedLauncher& operator=(const ForkedLauncher&) = delete;

  pid_t pid() const { return pid_; }
  const LaunchRecord& record() const { return *record_; }

  // Waits until the launcher has returned from run().
  const LaunchRecord& finish() {
    int status = -1;
    EXPECT_EQ(waitpid(pid_, &status, 0), pid_);
    EXPECT_EQ(status, 0) << "the launcher itself died";
    EXPECT_TRUE(record_->mask_restored);
    return *record_;
  }

  // Waits until the launcher has stopped; returns by which signal.
  int wait_for_stop() const {
    int status = -1;
    EXPECT_EQ(waitpid(pid_, &status, WUNTRACED), pid_);
    EXPECT_TRUE(WIFSTOPPED(status)) << status;
    return WSTOPSIG(status);
  }

 private:
  LaunchRecord* record_;
  pid_t pid_;
};

}  // namespace iotrace
