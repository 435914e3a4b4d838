// Writes the line with one write system call each, as often as asked (a million times by default).
// No stdio.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "line.h"

// All of it, however many calls the target makes of it.
static bool write_fully(const char* data, size_t size) {
  while (size > 0) {
    ssize_t written = write(STDOUT_FILENO, data, size);
    if (written < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    data += written;
    size -= (size_t)written;
  }
  return true;
}

int main(int argc, char** argv) {
  struct Arguments arguments = parse_arguments(argc, argv, false);
  if (!stdout_is_open(argv[0])) return 1;
  for (unsigned long long i = 0; i < arguments.lines; ++i) {
    if (!write_fully(DEMO_LINE, sizeof DEMO_LINE - 1)) {
      dprintf(STDERR_FILENO, "%s: stdout: %s\n", argv[0], strerror(errno));
      return 1;
    }
  }
  return 0;
}
