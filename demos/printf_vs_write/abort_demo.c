// Says something without a newline and aborts. On stdout the message is still in stdio's buffer
// then, whatever stdout is joined to, and is lost; on stderr (--stderr), which has no buffer, it
// has left already.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "arguments.h"

static const char kMessage[] = "about to do something risky ...";

int main(int argc, char** argv) {
  FILE* stream = stdout;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--stderr") != 0) {
      dprintf(STDERR_FILENO, "%s: '%s' is no option; usage: %s [--stderr]\n", argv[0], argv[i],
              argv[0]);
      return 2;
    }
    stream = stderr;
  }
  if (stream == stdout && !stdout_is_open(argv[0])) return 1;
  // This crash is no accident that anybody wants to look into.
  struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  fputs(kMessage, stream);
  abort();
}
