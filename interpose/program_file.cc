#include "interpose/program_file.h"

#include <limits.h>
#include <unistd.h>

#include "interpose/raw.h"
#include "interpose/shared/executable.h"

namespace iotrace {
namespace {

constexpr int kMaxInterpreters = 4;  // as deep as the kernel follows "#!" (BINPRM_MAX_RECURSION)

bool gains_rights(int fd) {
  uid_t user = static_cast<uid_t>(raw_syscall(SYS_geteuid));
  struct stat status;
  if (raw::fstat(fd, &status) != 0) return false;
  if ((status.st_mode & S_ISUID) && status.st_uid != user) return true;
  gid_t group = static_cast<gid_t>(raw_syscall(SYS_getegid));
  if ((status.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && status.st_gid != group)
    return true;
  // Capabilities of the file give a user, not root, secure execution.
  return user != 0 && raw_syscall(SYS_fgetxattr, fd, raw::address("security.capability"), 0, 0) > 0;
}

void judge(int fd, int depth, ProgramFile* file) {
  unsigned char head[kExecutableHeadSize];
  long size = raw::read(fd, reinterpret_cast<char*>(head), sizeof(head));
  if (size < 0) return;
  switch (classify_executable(head, static_cast<size_t>(size))) {
    case Loading::static_program:
      file->reason = NotInstrumented::static_program;
      break;
    case Loading::foreign_class:
      file->reason = NotInstrumented::foreign_class;
      file->can_preload = false;
      break;
    case Loading::other_libc:
      file->reason = NotInstrumented::other_libc;
      file->can_preload = false;
      break;
    case Loading::script: {
      char interpreter[kPathCapacity];
      if (depth >= kMaxInterpreters ||
          !script_interpreter(head, static_cast<size_t>(size), interpreter, sizeof(interpreter))) {
        break;
      }
      int next = raw::open(interpreter, O_RDONLY);
      if (next < 0) break;
      judge(next, depth + 1, file);
      raw::close(next);
      break;
    }
    case Loading::unknown:
      // execvp hands it to a shell, whose path is another.
      file->path_length = 0;
      break;
    case Loading::loads:
      if (gains_rights(fd)) file->reason = NotInstrumented::setuid;
      break;
  }
}

}  // namespace

ProgramFile inspect_program(const char* path, int fd) {
  ProgramFile file;
  char own[32];
  if (path == nullptr) {
    if (fd < 0) return file;
    // A descriptor may be open for execution only (O_PATH): go by its link.
    raw::write_descriptor_link(fd, own);
    path = own;
  } else {
    // The path comes from the program and may be bad; then the exec fails as well, and so does
    // this.
    struct stat status;
    if (raw::stat(path, &status) != 0) return file;
    size_t length = __builtin_strlen(path);
    if (length <= sizeof(file.path)) {
      __builtin_memcpy(file.path, path, length);
      file.path_length = static_cast<uint32_t>(length);
    }
  }
  int program = raw::open(path, O_RDONLY | O_NONBLOCK);
  if (program < 0) return file;
  judge(program, 0, &file);
  raw::close(program);
  return file;
}

bool search_path(const char* file, char* path, size_t capacity) {
  size_t file_length = __builtin_strlen(file);
  if (file_length == 0) return false;
  const char* directories = nullptr;
  if (__builtin_strchr(file, '/') == nullptr) {
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
      if (__builtin_strncmp(*entry, "PATH=", 5) == 0) directories = *entry + 5;
    }
    if (directories == nullptr) directories = "/bin:/usr/bin";
  } else {
    directories = "";
  }
  for (;;) {
    const char* end = directories;
    while (*end != 0 && *end != ':') ++end;
    size_t length = static_cast<size_t>(end - directories);
    if (length + 1 + file_length + 1 <= capacity) {
      __builtin_memcpy(path, directories, length);
      if (length > 0) path[length++] = '/';
      __builtin_memcpy(path + length, file, file_length + 1);
      struct stat status;
      if (raw::accessible(path, 1) && raw::stat(path, &status) == 0 && S_ISREG(status.st_mode))
        return true;
    }
    if (*end == 0) return false;
    directories = end + 1;
  }
}

}  // namespace iotrace
