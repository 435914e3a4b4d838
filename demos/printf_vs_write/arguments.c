// Command line of the two programs; see arguments.h. Says what is wrong with dprintf, which leaves
// stdio's streams alone.
#include "arguments.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const unsigned long long kDefaultLines = 1000000;
static const unsigned long long kMaxLines = 1000000000000;

static _Noreturn void refuse(const char* program, const char* argument, const char* why,
                             bool may_be_unbuffered) {
  dprintf(STDERR_FILENO, "%s: '%s' %s; usage: %s [LINES]%s\n", program, argument, why, program,
          may_be_unbuffered ? " [--unbuffered]" : "");
  exit(2);
}

struct Arguments parse_arguments(int argc, char** argv, bool may_be_unbuffered) {
  struct Arguments parsed = {kDefaultLines, false};
  bool have_lines = false;
  for (int i = 1; i < argc; ++i) {
    const char* argument = argv[i];
    if (may_be_unbuffered && strcmp(argument, "--unbuffered") == 0) {
      parsed.unbuffered = true;
      continue;
    }
    // strtoull would take a sign and leading blanks, and wrap "-1" around.
    if (argument[0] == '\0' || strspn(argument, "0123456789") != strlen(argument)) {
      bool is_option = strncmp(argument, "--", 2) == 0;
      refuse(argv[0], argument, is_option ? "is no option" : "is no number of lines",
             may_be_unbuffered);
    }
    if (have_lines) refuse(argv[0], argument, "is one number too many", may_be_unbuffered);
    have_lines = true;
    errno = 0;
    parsed.lines = strtoull(argument, NULL, 10);
    if (errno != 0 || parsed.lines > kMaxLines) {
      refuse(argv[0], argument, "is more than 1000000000000 lines", may_be_unbuffered);
    }
  }
  return parsed;
}

bool stdout_is_open(const char* program) {
  if (fcntl(STDOUT_FILENO, F_GETFD) >= 0) return true;
  dprintf(STDERR_FILENO, "%s: stdout: %s\n", program, strerror(errno));
  return false;
}
