// Victim: does with stdio the one thing that its first argument names. The sizes are known to the
// tests.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

static void fflush_each_line(void) {
  for (int i = 0; i < 10; ++i) {
    printf("line %d\n", i);
    fflush(stdout);
  }
  fflush(stdout);
  fflush(stdout);
}

static void fflush_everything(void) {
  printf("to stdout\n");
  fflush(NULL);
}

static void close_stream(void) {
  printf("twelve bytes");
  fclose(stdout);
}

static void line_mode(void) {
  setvbuf(stdout, NULL, _IOLBF, 4096);
  for (int i = 0; i < 10; ++i) printf("line %d\n", i);
}

static void big_buffer(void) {
  static char buffer[1 << 16];
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  for (int i = 0; i < 10000; ++i) printf("seven %d", i % 10);
}

static void large_fwrite(void) {
  static char much[100000];
  fwrite(much, 1, sizeof much, stdout);
}

static void mixed(void) {
  printf("through stdio\n");
  if (write(1, "straight\n", 9) != 9) _exit(1);
}

static void wide(void) {
  for (int i = 0; i < 5; ++i) wprintf(L"wide %d\n", i);
}

static void lose_by__exit(void) {
  printf("lost, all 19 bytes\n");
  _exit(0);
}

static void lose_by_abort(void) {
  printf("lost, all 19 bytes\n");
  abort();
}

static void lose_by_sigkill(void) {
  printf("lost, all 19 bytes\n");
  kill(getpid(), SIGKILL);
}

static void lose_by_crash(void) {
  printf("lost, all 19 bytes\n");
  raise(SIGSEGV);
}

static void flush_quickly(void) {
  printf("lost, all 19 bytes\n");
  quick_exit(0);
}

static void fork_with_full_buffer(void) {
  printf("twice\n");
  if (fork() == 0) exit(0);
  wait(NULL);
}

static void to_stderr(void) {
  for (int i = 0; i < 10; ++i) fprintf(stderr, "line %d\n", i);
}

static const struct {
  const char* name;
  void (*act)(void);
} kMoves[] = {
    {"fflush", fflush_each_line},
    {"fflush-null", fflush_everything},
    {"fclose", close_stream},
    {"line", line_mode},
    {"big-buffer", big_buffer},
    {"large-fwrite", large_fwrite},
    {"mixed", mixed},
    {"wide", wide},
    {"_exit", lose_by__exit},
    {"abort", lose_by_abort},
    {"sigkill", lose_by_sigkill},
    {"crash", lose_by_crash},
    {"quick_exit", flush_quickly},
    {"fork", fork_with_full_buffer},
    {"stderr", to_stderr},
};

int main(int argc, char** argv) {
  for (size_t i = 0; i < sizeof kMoves / sizeof *kMoves; ++i) {
    if (argc > 1 && strcmp(argv[1], kMoves[i].name) == 0) {
      kMoves[i].act();
      return 0;
    }
  }
  return 2;
}
