// A full-screen program on a pseudo-terminal that the test holds: it types, changes the window's
// size, sends signals, and looks at the terminal's settings before, during and after. The tui
// tests.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/command.h"

namespace iotrace::test {

inline constexpr char kEnterScreen[] = "\x1b[?1049h";
inline constexpr char kHideCursor[] = "\x1b[?25l";
inline constexpr char kLeaveScreen[] = "\x1b[?1049l";
inline constexpr char kShowCursor[] = "\x1b[?25h";

// What of the settings a raw mode changes.
inline bool same_settings(const termios& a, const termios& b) {
  return a.c_iflag == b.c_iflag && a.c_oflag == b.c_oflag && a.c_cflag == b.c_cflag &&
         a.c_lflag == b.c_lflag && a.c_cc[VMIN] == b.c_cc[VMIN] && a.c_cc[VTIME] == b.c_cc[VTIME];
}

class TuiRun {
 public:
  // All three descriptors are the terminal, in the settings of a shell that waits for a command.
  // It is not the program's controlling terminal, since the end of a session resets its terminal.
  TuiRun(std::vector<std::string> argv, unsigned short columns, unsigned short rows)
      : command_(std::move(argv)),
        before_(static_cast<termios*>(mmap(nullptr, sizeof(termios), PROT_READ | PROT_WRITE,
                                           MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
    if (before_ == MAP_FAILED) throw std::runtime_error("no shared memory");
    command_.stdin_from(terminal()).stdout_to(terminal()).stderr_to(terminal());
    command_.without_env("STREAM").without_env("DURATION");
    command_.in_child([this, columns, rows] {
      set_window(0, columns, rows);
      tcgetattr(0, before_);
      before_->c_lflag |= ICANON | ECHO | ISIG;
      before_->c_oflag |= OPOST | ONLCR;
      before_->c_iflag |= ICRNL;
      tcsetattr(0, TCSANOW, before_);
      tcgetattr(0, before_);
    });
  }
  ~TuiRun() {
    if (terminal_ >= 0) close(terminal_);
    munmap(before_, sizeof(termios));
  }
  TuiRun(const TuiRun&) = delete;
  TuiRun& operator=(const TuiRun&) = delete;

  Command& command() { return command_; }

  // Starts it and waits until it shows `text`; false if it ended without.
  bool start_and_see(const std::string& text) {
    command_.start();
    if (!command_.wait_for_output(text)) return false;
    const std::string name = "/proc/" + std::to_string(command_.pid()) + "/fd/0";
    terminal_ = open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    return terminal_ >= 0;
  }

  void resize(unsigned short columns, unsigned short rows) {
    set_window(terminal_, columns, rows);
    command_.send(SIGWINCH);
  }

  termios before() const { return *before_; }
  termios now() const {
    termios settings = {};
    if (tcgetattr(terminal_, &settings) != 0) throw std::runtime_error("the terminal is gone");
    return settings;
  }

  // Until the program has ended. The terminal reads to its end only when the test lets go of it.
  Outcome wait() {
    command_.wait_for_output("text that no program shows");
    after_ = now();
    close(terminal_);
    terminal_ = -1;
    return command_.wait();
  }
  termios after() const { return after_; }

 private:
  static void set_window(int fd, unsigned short columns, unsigned short rows) {
    winsize window = {rows, columns, 0, 0};
    ioctl(fd, TIOCSWINSZ, &window);
  }

  Command command_;
  termios* before_;  // shared with the child, which fills it in
  termios after_ = {};
  int terminal_ = -1;
};

}  // namespace iotrace::test
