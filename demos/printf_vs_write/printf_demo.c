// Prints the line with printf, as often as asked (a million times by default). stdio decides how
// many system calls that takes: with --unbuffered or --line one for each line.
//
// The last buffer is left to exit() on purpose, as most programs do. The price is seen on a full
// device: what printf itself flushes is checked here, but when the last part does not fit, nobody
// is told.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "line.h"

int main(int argc, char** argv) {
  struct Arguments arguments = parse_arguments(argc, argv, true);
  if (!stdout_is_open(argv[0])) return 1;
  if (arguments.buffering == kUnbuffered) setvbuf(stdout, NULL, _IONBF, 0);
  if (arguments.buffering == kLineBuffered) setvbuf(stdout, NULL, _IOLBF, 0);
  for (unsigned long long i = 0; i < arguments.lines; ++i) {
    if (printf(DEMO_LINE) < 0) {
      dprintf(STDERR_FILENO, "%s: stdout: %s\n", argv[0], strerror(errno));
      return 1;
    }
  }
  return 0;
}
