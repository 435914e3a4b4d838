// Starting, feeding, draining and reaping a program for a test; see command.h. What is opened here
// is close-on-exec and lies above the standard descriptors, so that the program finds exactly the
// ones that the test named.
#include "tests/support/command.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "tests/support/paths.h"

namespace iotrace::test {
namespace {

constexpr int kFirstOwnDescriptor = 10;
constexpr unsigned kNobody = 65534;

int checked(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

int move_up(int fd) {
  int moved = checked(fcntl(fd, F_DUPFD_CLOEXEC, kFirstOwnDescriptor), "fcntl");
  close(fd);
  return moved;
}

void close_if_open(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

struct PipeEnds {
  int read_end;
  int write_end;
};

PipeEnds make_pipe() {
  int ends[2];
  checked(pipe2(ends, O_CLOEXEC), "pipe2");
  return {move_up(ends[0]), move_up(ends[1])};
}

}  // namespace

Command::Command(std::vector<std::string> argv) : argv_(std::move(argv)) {
  channels_[0] = null_device();
  channels_[1] = pipe_to_test();
  channels_[2] = pipe_to_test();
}

Command::~Command() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close_if_open(pidfd_);
  close_if_open(terminal_slave_);
  for (Reader& reader : readers_) close_if_open(reader.fd);
}

int Command::open_terminal() {
  if (terminal_slave_ < 0) {
    readers_[0].fd = move_up(checked(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), "posix_openpt"));
    checked(grantpt(readers_[0].fd), "grantpt");
    checked(unlockpt(readers_[0].fd), "unlockpt");
    char name[64];
    checked(-ptsname_r(readers_[0].fd, name, sizeof name), "ptsname_r");
    terminal_slave_ = move_up(checked(open(name, O_RDWR | O_NOCTTY | O_CLOEXEC), name));
    // Raw, so that the text arrives as it was written; but the keys for signals work.
    struct termios settings = {};
    checked(tcgetattr(terminal_slave_, &settings), "tcgetattr");
    cfmakeraw(&settings);
    settings.c_lflag |= ISIG;
    checked(tcsetattr(terminal_slave_, TCSANOW, &settings), "tcsetattr");
    terminal_used_ = true;
  }
  return move_up(checked(dup(terminal_slave_), "dup"));
}

int Command::open_channel(const Channel& channel, int fd) {
  switch (channel.kind) {
    case Channel::kFile: {
      int flags = fd == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC;
      return move_up(checked(open(channel.path.c_str(), flags | O_CLOEXEC | O_NOCTTY, 0666),
                             channel.path.c_str()));
    }
    case Channel::kPipe: {
      PipeEnds ends = make_pipe();
      if (fd != 0) {
        readers_[fd - 1].fd = ends.read_end;
        return ends.write_end;
      }
      const std::string& text = channel.text;
      if (write(ends.write_end, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
        throw std::length_error("the text for descriptor 0 does not fit into a pipe");
      }
      close(ends.write_end);
      return ends.read_end;
    }
    case Channel::kNoReader: {
      PipeEnds ends = make_pipe();
      close(ends.read_end);
      return ends.write_end;
    }
    case Channel::kTerminal:
      return open_terminal();
    case Channel::kInherit:
    case Channel::kClosed:
    case Channel::kSame:
      break;
  }
  return -1;
}

void Command::execute(const int (&channels)[3]) {
  if (own_group_) setpgid(0, 0);
  if (terminal_session_) {
    setsid();
    ioctl(terminal_slave_, TIOCSCTTY, 0);
  }
  for (int fd = 0; fd < 3; ++fd) {
    if (channels_[fd].kind == Channel::kClosed) close(fd);
    if (channels_[fd].kind == Channel::kSame) dup2(1, fd);
    if (channels[fd] >= 0) dup2(channels[fd], fd);
  }
  // What the test runner itself was given open is no business of the program's.
  close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  for (const auto& [name, value] : env_) {
    if (value) {
      setenv(name.c_str(), value->c_str(), 1);
    } else {
      unsetenv(name.c_str());
    }
  }
  bool ready = directory_.empty() || chdir(directory_.c_str()) == 0;
  if (as_nobody_) {
    ready = ready && setgroups(0, nullptr) == 0 && setgid(kNobody) == 0 && setuid(kNobody) == 0;
  }
  if (ready) {
    if (in_child_) in_child_();
    std::vector<char*> arguments;
    for (std::string& argument : argv_) arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
  }
  dprintf(2, "test: cannot run %s: %s\n", argv_[0].c_str(), strerror(errno));
  _exit(124);
}

Command& Command::start() {
  int channels[3];
  for (int fd = 0; fd < 3; ++fd) channels[fd] = open_channel(channels_[fd], fd);
  pid_ = checked(fork(), "fork");
  if (pid_ == 0) execute(channels);
  if (own_group_) setpgid(pid_, pid_);  // in both, so that neither has to wait for the other
  for (int& fd : channels) close_if_open(fd);
  close_if_open(terminal_slave_);
  pidfd_ = checked(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)), "pidfd_open");
  return *this;
}

void Command::send(int signal) const { checked(kill(pid_, signal), "kill"); }

void Command::send_to_group(int signal) const { checked(killpg(pid_, signal), "killpg"); }

void Command::type(const std::string& text) const {
  checked(static_cast<int>(write(readers_[0].fd, text.data(), text.size())), "write");
}

// False at the end of the stream, which a terminal reports as EIO.
bool Command::read_some(Reader& reader) {
  char buffer[1 << 16];
  ssize_t size = read(reader.fd, buffer, sizeof buffer);
  if (size > 0) {
    reader.text.append(buffer, static_cast<size_t>(size));
  } else if (size == 0 || errno != EINTR) {
    close_if_open(reader.fd);
  }
  return reader.fd >= 0;
}

// Reads whatever comes until `enough` says so or the program has ended.
void Command::pump(const std::function<bool()>& enough) {
  while (!enough()) {
    struct pollfd polled[3] = {
        {pidfd_, POLLIN, 0}, {readers_[0].fd, POLLIN, 0}, {readers_[1].fd, POLLIN, 0}};
    if (poll(polled, 3, -1) < 0) continue;
    for (int i = 0; i < 2; ++i) {
      if (polled[i + 1].revents != 0) read_some(readers_[i]);
    }
    if (polled[0].revents != 0) break;
  }
}

// Takes what the ended program left. A pipe may still be held open by a descendant, so it is
// emptied, not read to its end; a terminal passes its text on a moment later, so there only its end
// says that all has arrived.
void Command::drain() {
  for (Reader& reader : readers_) {
    while (reader.fd >= 0) {
      struct pollfd polled = {reader.fd, POLLIN, 0};
      bool is_terminal = terminal_used_ && &reader == readers_;
      if (poll(&polled, 1, is_terminal ? -1 : 0) <= 0 || !read_some(reader)) break;
    }
  }
}

bool Command::wait_for_output(const std::string& text) {
  auto found = [&] { return readers_[0].text.find(text) != std::string::npos; };
  pump(found);
  return found();
}

Outcome Command::wait() {
  if (pid_ < 0) start();
  pump([] { return false; });
  drain();
  Outcome outcome;
  int status = 0;
  checked(waitpid(pid_, &status, 0), "waitpid");
  pid_ = -1;
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  outcome.out = readers_[0].text;
  outcome.err = readers_[1].text;
  if (report_dir_ && file_exists(report_dir_->file("report.json"))) {
    outcome.report = nlohmann::json::parse(read_file(report_dir_->file("report.json")));
  }
  return outcome;
}

}  // namespace iotrace::test
