// Command line of the programs; see arguments.h. Says what is wrong with dprintf, which leaves
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
                             bool may_choose_buffering) {
  dprintf(STDERR_FILENO, "%s: '%s' %s; usage: %s [LINES]%s\n", program, argument, why, program,
          may_choose_buffering ? " [--unbuffered|--line]" : "");
  exit(2);
}

static enum Buffering buffering_option(const char* argument) {
  if (strcmp(argument, "--unbuffered") == 0) return kUnbuffered;
  if (strcmp(argument, "--line") == 0) return kLineBuffered;
  return kAsStdioComes;
}

struct Arguments parse_arguments(int argc, char** argv, bool may_choose_buffering) {
  struct Arguments parsed = {kDefaultLines, kAsStdioComes};
  bool have_lines = false;
  for (int i = 1; i < argc; ++i) {
    const char* argument = argv[i];
    enum Buffering buffering = may_choose_buffering ? buffering_option(argument) : kAsStdioComes;
    if (buffering != kAsStdioComes) {
      if (parsed.buffering != kAsStdioComes) {
        refuse(argv[0], argument, "is one way of buffering too many", may_choose_buffering);
      }
      parsed.buffering = buffering;
      continue;
    }
    // strtoull would take a sign and leading blanks, and wrap "-1" around.
    if (argument[0] == '\0' || strspn(argument, "0123456789") != strlen(argument)) {
      bool is_option = strncmp(argument, "--", 2) == 0;
      refuse(argv[0], argument, is_option ? "is no option" : "is no number of lines",
             may_choose_buffering);
    }
    if (have_lines) refuse(argv[0], argument, "is one number too many", may_choose_buffering);
    have_lines = true;
    errno = 0;
    parsed.lines = strtoull(argument, NULL, 10);
    if (errno != 0 || parsed.lines > kMaxLines) {
      refuse(argv[0], argument, "is more than 1000000000000 lines", may_choose_buffering);
    }
  }
  return parsed;
}

bool stdout_is_open(const char* program) {
  if (fcntl(STDOUT_FILENO, F_GETFD) >= 0) return true;
  dprintf(STDERR_FILENO, "%s: stdout: %s\n", program, strerror(errno));
  return false;
}
