// What the program inherits: everything as iotrace was given it. The victim lists what it finds,
// once started directly and once through run(), and the two lists must be the same.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include <cstdio>
#include <string>

#include "launch.h"
#include "launch_harness.h"

namespace iotrace {
namespace {

// Lists everything that a process inherits, on kReportFd.
[[noreturn]] void victim_state() {
  std::string text;
  for (int fd = 0; fd < 64; ++fd) {
    const int flags = fcntl(fd, F_GETFL);
    if (flags != -1) text += "fd " + std::to_string(fd) + " " + std::to_string(flags) + "\n";
  }
  text += "group " + std::to_string(getpgrp()) + " session " + std::to_string(getsid(0)) + "\n";
  FILE* status = fopen("/proc/self/status", "re");
  char line[256];
  while (fgets(line, sizeof line, status) != nullptr) {
    for (const char* name : {"SigPnd", "ShdPnd", "SigBlk", "SigIgn", "SigCgt"}) {
      if (strncmp(line, name, strlen(name)) == 0) text += line;
    }
  }
  const bool written = write(kReportFd, text.data(), text.size()) == ssize_t(text.size());
  _exit(written ? 0 : 1);
}

__attribute__((constructor)) void become_victim() {
  const char* name = getenv("LAUNCH_VICTIM");
  if (name != nullptr && strcmp(name, "state") == 0) victim_state();
}

std::string contents(int fd) {
  char text[4096];
  const ssize_t bytes = pread(fd, text, sizeof text, 0);
  return std::string(text, bytes > 0 ? static_cast<size_t>(bytes) : 0);
}

// What a program inherits from a parent with the state that `prepare` makes: directly, and through
// run().
void expect_same_state(const std::function<void()>& prepare) {
  std::string inherited[2];
  for (const bool launched : {false, true}) {
    const int report = memfd_create("report", MFD_CLOEXEC);
    const auto prepare_all = [&] {
      dup2(report, kReportFd);
      prepare();
    };
    if (launched) {
      EXPECT_EQ(ForkedLauncher(victim_request("state"), prepare_all).finish().result.code, 0);
    } else {
      const pid_t pid = fork();
      if (pid == 0) {
        reset_signals();
        prepare_all();
        setenv("LAUNCH_VICTIM", "state", 1);
        execl("/proc/self/exe", "/proc/self/exe", nullptr);
        _exit(1);
      }
      int status = -1;
      waitpid(pid, &status, 0);
      EXPECT_EQ(status, 0);
    }
    inherited[launched] = contents(report);
    close(report);
  }
  EXPECT_NE(inherited[0], "");
  EXPECT_EQ(inherited[0], inherited[1]);
}

TEST(LaunchInherits, plain_state) {
  expect_same_state([] {});
}

TEST(LaunchInherits, closed_standard_descriptors_stay_closed) {
  for (int closed = 1; closed < 8; ++closed) {
    expect_same_state([closed] {
      for (int fd = 0; fd <= 2; ++fd) {
        if ((closed >> fd & 1) != 0) close(fd);
      }
    });
  }
}

TEST(LaunchInherits, blocked_and_ignored_signals) {
  expect_same_state([] {
    sigset_t blocked;
    sigemptyset(&blocked);
    for (const int number : {SIGTERM, SIGUSR1, SIGCHLD, SIGTSTP, SIGRTMIN + 3})
      sigaddset(&blocked, number);
    sigprocmask(SIG_SETMASK, &blocked, nullptr);
    for (const int number : {SIGHUP, SIGINT, SIGPIPE, SIGTTOU, SIGRTMAX}) signal(number, SIG_IGN);
  });
}

TEST(LaunchInherits, ignored_sigchld) {
  expect_same_state([] { signal(SIGCHLD, SIG_IGN); });
}

TEST(LaunchInherits, process_group) {
  ForkedLauncher launcher(
      program_request({"sh", "-c", "test $(cut -d' ' -f5 /proc/$$/stat) = $PPID"}),
      [] { setpgid(0, 0); });
  EXPECT_EQ(launcher.finish().result.code, 0);
}

TEST(KeepAboveStderr, moves_low_descriptors_and_leaves_their_numbers_closed) {
  const int status = status_of([] {
    close(0);
    const int kept = keep_above_stderr(open("/dev/null", O_RDONLY));
    _exit(kept > 2 && fcntl(kept, F_GETFD) == FD_CLOEXEC && fcntl(0, F_GETFD) == -1 ? 0 : 1);
  });
  EXPECT_EQ(status, 0);
}

TEST(KeepAboveStderr, makes_high_descriptors_close_on_exec) {
  const int opened = open("/dev/null", O_RDONLY);
  ASSERT_GT(opened, 2);
  EXPECT_EQ(keep_above_stderr(opened), opened);
  EXPECT_EQ(fcntl(opened, F_GETFD), FD_CLOEXEC);
  close(opened);
}

TEST(KeepAboveStderr, passes_a_failure_on) {
  const int opened = open("/no/such/file", O_RDONLY);
  EXPECT_EQ(keep_above_stderr(opened), -1);
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace
}  // namespace iotrace
