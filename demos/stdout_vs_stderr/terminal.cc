// Taking a terminal over and giving it back; see terminal.h. on_deadly_signal and what it calls run
// in signal handlers: system calls alone, no stdio. What stdio still holds then is meant to be
// lost, as it belongs to the picture.
#include "terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <string_view>

namespace iotrace {
namespace {

constexpr std::string_view kEnterScreen = "\x1b[?1049h\x1b[?25l\x1b[2J";
// Cleared before it is left: a terminal without an alternate screen would keep the picture, and so
// does tmux 3.3 where the window has grown in the meantime.
constexpr std::string_view kLeaveScreen = "\x1b[0m\x1b[2J\x1b[?25h\x1b[?1049l";
constexpr char kInterruptKey = '\x03';
constexpr int kDeadlySignals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGALRM,
                                  SIGILL, SIGBUS, SIGFPE,  SIGSEGV, SIGABRT, SIGXCPU};

// What the handlers need. A flag goes up before the change that it stands for: undoing what has not
// been done yet does no harm.
int taken_screen_fd = -1;
int taken_keys_fd = -1;
struct termios settings_before;
volatile sig_atomic_t screen_is_taken = 0;
volatile sig_atomic_t settings_are_changed = 0;
volatile sig_atomic_t window_changed = 0;

// A crash may be for lack of stack.
alignas(16) char signal_stack[64 * 1024];

void write_fully(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;  // the picture itself will meet the same error
    if (written > 0) text.remove_prefix(static_cast<size_t>(written));
  }
}

void on_deadly_signal(int signal) {
  give_terminal_back();
  // The signal is blocked until this handler returns; then it kills, so that whoever waits for the
  // program learns what ended it.
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
  raise(signal);
}

void on_window_change(int) { window_changed = 1; }

void install_handlers() {
  stack_t stack = {};
  stack.ss_sp = signal_stack;
  stack.ss_size = sizeof signal_stack;
  sigaltstack(&stack, nullptr);
  for (int signal : kDeadlySignals) {
    struct sigaction action = {};
    // What is ignored (by nohup, say) does not end the program.
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action.sa_handler = on_deadly_signal;
    action.sa_flags = SA_ONSTACK;
    sigfillset(&action.sa_mask);  // SIGTTOU too, which would stop a background process here
    sigaction(signal, &action, nullptr);
  }
  struct sigaction action = {};
  action.sa_handler = on_window_change;
  action.sa_flags = SA_RESTART;  // a write in progress goes on; ppoll is never restarted
  sigemptyset(&action.sa_mask);
  sigaction(SIGWINCH, &action, nullptr);
}

}  // namespace

std::optional<Size> terminal_size(int fd) {
  if (isatty(fd) == 0) return std::nullopt;
  struct winsize window = {};
  if (ioctl(fd, TIOCGWINSZ, &window) != 0 || window.ws_col == 0 || window.ws_row == 0) {
    return Size{80, 24};
  }
  return Size{window.ws_col, window.ws_row};
}

void take_terminal(int screen_fd, int keys_fd) {
  install_handlers();
  taken_screen_fd = screen_fd;
  taken_keys_fd = keys_fd;
  if (tcgetattr(keys_fd, &settings_before) == 0) {
    settings_are_changed = 1;
    struct termios raw = settings_before;
    cfmakeraw(&raw);
    tcsetattr(keys_fd, TCSANOW, &raw);
  }
  screen_is_taken = 1;
  write_fully(screen_fd, kEnterScreen);
}

void give_terminal_back() {
  const int errno_before = errno;
  if (screen_is_taken != 0) write_fully(taken_screen_fd, kLeaveScreen);
  screen_is_taken = 0;
  if (settings_are_changed != 0) tcsetattr(taken_keys_fd, TCSANOW, &settings_before);
  settings_are_changed = 0;
  errno = errno_before;
}

bool window_has_changed() {
  if (window_changed == 0) return false;
  window_changed = 0;
  return true;
}

int keys_descriptor(int screen_fd) {
  for (int fd : {STDIN_FILENO, screen_fd}) {
    if (isatty(fd) != 0 && (fcntl(fd, F_GETFL) & O_ACCMODE) != O_WRONLY) return fd;
  }
  return -1;
}

std::optional<char> wait_for_key(int keys_fd, double seconds) {
  const double whole = std::floor(seconds);
  const struct timespec wait = {static_cast<time_t>(whole),
                                static_cast<long>((seconds - whole) * 1e9)};
  struct pollfd polled = {keys_fd, POLLIN, 0};  // a negative descriptor is no error: mere waiting
  if (ppoll(&polled, 1, &wait, nullptr) <= 0) return std::nullopt;
  char key = 0;
  const ssize_t size = read(keys_fd, &key, 1);
  if (size < 0 && errno == EINTR) return std::nullopt;
  if (size != 1) return kQuitKey;
  if (key == kInterruptKey) raise(SIGINT);
  return key;
}

}  // namespace iotrace
