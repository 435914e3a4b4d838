// From fork to exec, and what to tell the user when the exec failed. The first runs in the forked
// child, the rest in the launcher.
#include "launch_exec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <string>
#include <string_view>

#include "exit_status.h"
#include "launch.h"
#include "launch_state.h"

namespace iotrace {
namespace {

// The file that execvp was about: the first one of that name that is there, if any.
std::optional<std::string> find_file(const std::string& program) {
  struct stat status;
  if (program.find('/') != std::string::npos) {
    if (stat(program.c_str(), &status) == 0) return program;
    return std::nullopt;
  }
  if (program.empty()) return std::nullopt;
  const char* variable = getenv("PATH");
  std::string_view rest = variable != nullptr ? variable : "/bin:/usr/bin";
  for (;;) {
    const size_t colon = rest.find(':');
    const std::string_view directory = rest.substr(0, colon);
    const std::string path = directory.empty() ? program : std::string(directory) + "/" + program;
    if (stat(path.c_str(), &status) == 0) return path;
    if (colon == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(colon + 1);
  }
}

std::string first_line(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return "";
  char text[256];
  const ssize_t bytes = read(fd, text, sizeof text);
  close(fd);
  if (bytes <= 0) return "";
  const std::string_view line(text, static_cast<size_t>(bytes));
  return std::string(line.substr(0, line.find('\n')));
}

std::string reason_not_found(const std::string& program) {
  if (program.empty()) return "its name is empty";
  struct stat status;
  if (program.find('/') != std::string::npos) {
    if (lstat(program.c_str(), &status) == 0)
      return "it is a symbolic link to a file that is not there";
    return "no such file (check the path)";
  }
  if (stat(program.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
    return "not found in PATH (for the file in this directory try ./" + program + ")";
  }
  return "not found in PATH (check the spelling, or give its path)";
}

// ENOENT although the file is there.
std::string reason_no_interpreter(const std::string& path) {
  const std::string line = first_line(path);
  if (line.rfind("#!", 0) != 0) {
    return "its program loader is missing (built for another system or C library?)";
  }
  if (line.back() == '\r') {
    return "its first line ends in a carriage return (try sed -i 's/\\r$//' " + path + ")";
  }
  const size_t from = line.find_first_not_of(" \t", 2);
  if (from == std::string::npos) return "its first line names no interpreter after #!";
  const std::string interpreter = line.substr(from, line.find_first_of(" \t", from) - from);
  return "its interpreter " + interpreter +
         " is missing (install it, or correct the first line of " + path + ")";
}

std::string reason_no_access(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) {
    return "permission denied (may you enter every directory of its path?)";
  }
  if (S_ISDIR(status.st_mode)) return "it is a directory (name a program in it)";
  if (!S_ISREG(status.st_mode)) return "it is not a regular file";
  if (access(path.c_str(), X_OK) != 0) return "not executable (try chmod +x " + path + ")";
  if (first_line(path).rfind("#!", 0) == 0) {
    return "permission denied (is its interpreter executable, its file system mounted noexec?)";
  }
  return "permission denied (is its file system mounted noexec?)";
}

}  // namespace

void execute_program(const ExecRequest& request) {
  char go;
  ssize_t bytes;
  do {
    bytes = read(request.launcher_fd, &go, 1);
  } while (bytes == -1 && errno == EINTR);
  if (bytes != 1) _exit(kExitNotFound);  // the launcher has died, nobody sees the status
  restore_inherited_state();
  execvpe(request.argv[0], request.argv, request.environment);
  const int error = errno;
  send(request.launcher_fd, &error, sizeof error, MSG_NOSIGNAL);
  _exit(kExitNotFound);
}

int exec_failure_exit_code(const std::string& program, int error) {
  return error == ENOENT && !find_file(program) ? kExitNotFound : kExitCannotRun;
}

std::string exec_failure_message(const std::string& program, int error) {
  const std::optional<std::string> file = find_file(program);
  std::string reason;
  switch (error) {
    case ENOENT:
      reason = file ? reason_no_interpreter(*file) : reason_not_found(program);
      break;
    case EACCES:
      reason = reason_no_access(file.value_or(program));
      break;
    case ENOEXEC:
      reason = "wrong format (built for another processor, or damaged?)";
      break;
    case ENOTDIR:
      reason = "a part of its path is not a directory";
      break;
    case E2BIG:
      reason = "arguments and environment are too long (try xargs, or a file)";
      break;
    case ETXTBSY:
      reason = "it is open for writing (wait until it has been built)";
      break;
    default:
      reason = strerror(error);
  }
  return "cannot run '" + program + "': " + reason;
}

}  // namespace iotrace
