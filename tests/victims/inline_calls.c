// Victim: makes as many write calls as its argument says by the processor's own instruction, past
// every library. With "orphan" as second argument, a descendant that nobody waits for makes 1000
// ordinary ones first.
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void write_inline(void) {
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(1), "D"(1), "S"("inline\n"), "d"(7)
                   : "rcx", "r11", "memory");
}

// Returns when the orphan has ended, so that its count belongs to this run's report.
static void leave_an_orphan(void) {
  int ends[2];
  if (pipe(ends) != 0) _exit(1);
  if (fork() == 0) {
    if (fork() == 0) {
      for (int i = 0; i < 1000; ++i) {
        if (write(1, "orphan\n", 7) != 7) _exit(1);
      }
    }
    _exit(0);
  }
  wait(NULL);
  close(ends[1]);
  char byte;
  if (read(ends[0], &byte, 1) != 0) _exit(1);
}

int main(int argc, char** argv) {
  if (argc > 2 && strcmp(argv[2], "orphan") == 0) leave_an_orphan();
  for (int i = 0; i < atoi(argv[1]); ++i) write_inline();
  return 0;
}
