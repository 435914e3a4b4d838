// Remembers what iotrace inherited and gives it to the program. Launcher only; the restoring half
// runs in the forked child, before the program is executed.
//
// An exec turns caught signals into default ones and keeps the ignored ones, so what a new process
// inherits is fully described by its mask and by one bit per signal.
#include "launch_state.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "launch.h"

namespace iotrace {
namespace {

struct InheritedState {
  bool open[3] = {};
  sigset_t mask = {};
  sigset_t ignored = {};
};

InheritedState inherited;

}  // namespace

void remember_inherited_state() {
  for (int fd = 0; fd <= STDERR_FILENO; ++fd) inherited.open[fd] = fcntl(fd, F_GETFD) != -1;
  sigprocmask(SIG_SETMASK, nullptr, &inherited.mask);
  sigemptyset(&inherited.ignored);
  for (int number = 1; number <= SIGRTMAX; ++number) {
    struct sigaction action;
    if (sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) {
      sigaddset(&inherited.ignored, number);
    }
  }
}

bool inherited_open(int fd) { return inherited.open[fd]; }

bool inherited_ignored(int signal_number) {
  return sigismember(&inherited.ignored, signal_number) == 1;
}

void restore_inherited_state() {
  for (int fd = 0; fd <= STDERR_FILENO; ++fd) {
    if (!inherited.open[fd]) close(fd);
  }
  for (int number = 1; number <= SIGRTMAX; ++number) {
    struct sigaction action = {};
    action.sa_handler = inherited_ignored(number) ? SIG_IGN : SIG_DFL;
    sigaction(number, &action,
              nullptr);  // fails for SIGKILL, SIGSTOP and libc's own: these never change
  }
  // Last: a signal that is pending must meet the disposition that the program is to have.
  sigprocmask(SIG_SETMASK, &inherited.mask, nullptr);
}

int keep_above_stderr(int fd) {
  if (fd < 0) return -1;
  if (fd > STDERR_FILENO) {
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
  }
  const int moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  close(fd);
  errno = error;
  return moved;
}

}  // namespace iotrace
