// Runs a command on a terminal of its own, of a given size, and reads away at full speed what the
// command shows there. So a terminal program runs where there is no terminal (CI), and a
// measurement of it does not depend on how fast somebody's terminal draws. The stories and tests
// use it.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tui_options.h"

namespace iotrace {
namespace {

constexpr int kOwnFailure = 125;
constexpr char kUsage[] =
    "usage: ptyrun [--leave-stdout] [--leave-stderr] COLSxROWS COMMAND [ARG...]";

struct Request {
  bool leave_stdout = false;  // to the command as ptyrun has it
  bool leave_stderr = false;
  Size size;
  char** command = nullptr;
};

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "ptyrun: %s: %s\n", what, std::strerror(errno));
  std::exit(kOwnFailure);
}

[[noreturn]] void refuse(const std::string& what) {
  std::fprintf(stderr, "ptyrun: %s; %s\n", what.c_str(), kUsage);
  std::exit(2);
}

Request parse(int argc, char** argv) {
  Request request;
  int i = 1;
  for (; i < argc && argv[i][0] == '-'; ++i) {
    const std::string argument = argv[i];
    if (argument == "--leave-stdout") {
      request.leave_stdout = true;
    } else if (argument == "--leave-stderr") {
      request.leave_stderr = true;
    } else {
      refuse("'" + argument + "' is no option");
    }
  }
  if (i == argc) refuse("no size");
  const std::optional<Size> size = parse_size(argv[i]);
  if (!size) refuse("'" + std::string(argv[i]) + "' is no size");
  if (i + 1 == argc) refuse("no command");
  request.size = *size;
  request.command = argv + i + 1;
  return request;
}

[[noreturn]] void execute(const Request& request, int terminal) {
  const int old_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  setsid();
  ioctl(terminal, TIOCSCTTY, 0);
  dup2(terminal, STDIN_FILENO);
  if (!request.leave_stdout) dup2(terminal, STDOUT_FILENO);
  if (!request.leave_stderr) dup2(terminal, STDERR_FILENO);
  execvp(request.command[0], request.command);
  const int status = errno == ENOENT ? 127 : 126;
  dprintf(old_stderr, "ptyrun: %s: %s\n", request.command[0], std::strerror(errno));
  _exit(status);
}

// Until the command has ended and all that it showed is read. A descendant that still holds the
// terminal does not count: it is hung up when ptyrun ends.
void drain(int master, int pidfd) {
  static char text[64 * 1024];
  struct pollfd polled[2] = {{master, POLLIN, 0}, {pidfd, POLLIN, 0}};
  for (;;) {
    if (poll(polled, 2, -1) < 0) continue;
    if (polled[0].revents == 0) return;
    if (read(master, text, sizeof text) < 0) return;
  }
}

int run(const Request& request) {
  const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  char name[64];
  if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0 ||
      ptsname_r(master, name, sizeof name) != 0) {
    fail("no terminal to be had");
  }
  // Held open here too, so that a command may close it and open it again.
  const int terminal = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0) fail(name);
  struct winsize window = {};
  window.ws_col = static_cast<unsigned short>(request.size.columns);
  window.ws_row = static_cast<unsigned short>(request.size.rows);
  if (ioctl(terminal, TIOCSWINSZ, &window) != 0) fail(name);

  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) execute(request, terminal);
  const int pidfd = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (pidfd < 0) fail("pidfd_open");
  drain(master, pidfd);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  // Die as the command did, but leave the core dump, if any, to be its own.
  struct rlimit no_core = {};
  setrlimit(RLIMIT_CORE, &no_core);
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  return kOwnFailure;
}

}  // namespace
}  // namespace iotrace

int main(int argc, char** argv) { return iotrace::run(iotrace::parse(argc, argv)); }
