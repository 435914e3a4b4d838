// Victim: leaves a child behind that no library hears of: it is forked and it sleeps by the
// processor's own instruction, so that not even its first call betrays it. Tells the child's
// process ID on descriptor 1.
#include <stdio.h>
#include <sys/syscall.h>

static long call_inline(long number) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number) : "rcx", "r11", "memory");
  return result;
}

int main(void) {
  long child = call_inline(SYS_fork);
  while (child == 0) call_inline(SYS_pause);
  printf("%ld\n", child);
  return 0;
}
