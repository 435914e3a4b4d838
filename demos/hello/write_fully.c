// See write_fully.h. The one place of this story where a system call is made.
#include "write_fully.h"

#include <errno.h>
#include <unistd.h>

bool write_fully(int fd, const char* data, size_t size) {
  while (size > 0) {
    ssize_t written = write(fd, data, size);
    if (written < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    data += written;
    size -= (size_t)written;
  }
  return true;
}
