// The main function of every strategy: how many items, then the strategy, then what went wrong.
// Reports with dprintf, so that stdio takes no part in the story.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hello.h"

static const unsigned long long kDefaultCount = 100000000;
static const unsigned long long kMaxCount = 1000000000000;

static _Noreturn void refuse(const char* program, const char* argument, const char* why) {
  dprintf(STDERR_FILENO, "%s: '%s' %s; usage: %s [COUNT]\n", program, argument, why, program);
  exit(2);
}

static unsigned long long parse_count(int argc, char** argv) {
  if (argc < 2) return kDefaultCount;
  const char* argument = argv[1];
  // strtoull would take a sign and leading blanks, and wrap "-1" around.
  if (argument[0] == '\0' || strspn(argument, "0123456789") != strlen(argument)) {
    bool is_option = strncmp(argument, "--", 2) == 0;
    refuse(argv[0], argument, is_option ? "is no option" : "is no number of items");
  }
  errno = 0;
  unsigned long long count = strtoull(argument, NULL, 10);
  if (errno != 0 || count > kMaxCount) {
    refuse(argv[0], argument, "is more than 1000000000000 items");
  }
  if (argc > 2) refuse(argv[0], argv[2], "is one argument too many");
  return count;
}

int main(int argc, char** argv) {
  unsigned long long count = parse_count(argc, argv);
  // Asked without writing: a count of 0 writes nothing, and the calls shall be the strategy's own.
  if (fcntl(STDOUT_FILENO, F_GETFD) < 0 || !say_hello(count)) {
    dprintf(STDERR_FILENO, "%s: stdout: %s\n", argv[0], strerror(errno));
    return 1;
  }
  return 0;
}
