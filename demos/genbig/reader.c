// genbig_reader: reads stdin to its end, 64 KiB at a time, and throws it away. With --pause it
// rests after each read, as a program does that has work to do with what it reads: whoever writes
// to it must then wait.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const unsigned long long kMaxPause = 1000000;

static _Noreturn void refuse(const char* program, const char* argument, const char* why) {
  dprintf(STDERR_FILENO, "%s: '%s' %s; usage: %s [--pause MICROSECONDS]\n", program, argument, why,
          program);
  exit(2);
}

static struct timespec parse_pause(int argc, char** argv) {
  unsigned long long microseconds = 0;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--pause") != 0) {
      refuse(argv[0], argv[i], argv[i][0] == '-' ? "is no option" : "is one argument too many");
    }
    if (i + 1 == argc) refuse(argv[0], argv[i], "lacks its microseconds");
    const char* text = argv[++i];
    if (text[0] == '\0' || strspn(text, "0123456789") != strlen(text)) {
      refuse(argv[0], text, "is no number of microseconds");
    }
    errno = 0;
    microseconds = strtoull(text, NULL, 10);
    if (errno != 0 || microseconds > kMaxPause) {
      refuse(argv[0], text, "is more than 1000000 microseconds");
    }
  }
  struct timespec pause = {(time_t)(microseconds / 1000000), (long)(microseconds % 1000000) * 1000};
  return pause;
}

int main(int argc, char** argv) {
  static char bytes[64 * 1024];
  struct timespec pause = parse_pause(argc, argv);
  for (;;) {
    ssize_t size = read(STDIN_FILENO, bytes, sizeof bytes);
    if (size == 0) return 0;
    if (size < 0 && errno != EINTR) {
      dprintf(STDERR_FILENO, "%s: stdin: %s\n", argv[0], strerror(errno));
      return 1;
    }
    if (pause.tv_sec > 0 || pause.tv_nsec > 0) nanosleep(&pause, NULL);
  }
}
