// A descriptor that refers to something else for a while: for the tests of what the launcher finds
// on, or writes to, its standard streams.
#pragma once

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/launch.h"

namespace iotrace {

class Redirected {
 public:
  // `to` is a descriptor, or -1 for closed.
  Redirected(int fd, int to) : fd_(fd), saved_(fcntl(fd, F_DUPFD_CLOEXEC, 10)) {
    fflush(nullptr);
    if (to < 0) {
      close(fd);
    } else {
      dup2(to, fd);
    }
    remember_inherited_state();
  }
  ~Redirected() {
    fflush(nullptr);
    dup2(saved_, fd_);
    close(saved_);
    remember_inherited_state();
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  int fd_, saved_;
};

}  // namespace iotrace
