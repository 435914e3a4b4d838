#include "cli/program_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "cli/launch.h"
#include "interpose/shared/executable.h"

namespace iotrace {
namespace {

constexpr int kMaxInterpreters = 4;  // as deep as the kernel follows "#!"

bool can_execute(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

std::string find_program(const std::string& program) {
  if (program.find('/') != std::string::npos) return program;
  const char* variable = getenv("PATH");
  std::string directories = variable != nullptr ? variable : "/bin:/usr/bin";
  for (size_t start = 0; start <= directories.size();) {
    size_t end = std::min(directories.find(':', start), directories.size());
    std::string path = directories.substr(start, end - start);
    if (!path.empty()) path += '/';
    path += program;
    if (can_execute(path)) return path;
    start = end + 1;
  }
  return program;
}

void judge(const std::string& path, int depth, ProgramFile* file) {
  int fd = keep_above_stderr(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (fd < 0) return;
  unsigned char head[kExecutableHeadSize];
  ssize_t size = read(fd, head, sizeof(head));
  struct stat status = {};
  fstat(fd, &status);
  close(fd);
  if (size < 0) return;
  switch (classify_executable(head, static_cast<size_t>(size))) {
    case Loading::static_program:
      file->reason = NotInstrumented::static_program;
      break;
    case Loading::foreign_class:
      *file = {NotInstrumented::foreign_class, false};
      break;
    case Loading::other_libc:
      *file = {NotInstrumented::other_libc, false};
      break;
    case Loading::script: {
      char interpreter[kPathCapacity];
      if (depth < kMaxInterpreters &&
          script_interpreter(head, static_cast<size_t>(size), interpreter, sizeof(interpreter))) {
        judge(interpreter, depth + 1, file);
      }
      break;
    }
    case Loading::loads:
      if ((status.st_mode & S_ISUID && status.st_uid != geteuid()) ||
          ((status.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) &&
           status.st_gid != getegid())) {
        file->reason = NotInstrumented::setuid;
      }
      break;
    case Loading::unknown:
      break;
  }
}

}  // namespace

ProgramFile inspect_first_program(const std::string& program) {
  ProgramFile file;
  judge(find_program(program), 0, &file);
  return file;
}

}  // namespace iotrace
