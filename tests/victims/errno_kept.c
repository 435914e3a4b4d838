// Victim: tells on descriptor 1 what errno is at the start of main and after output calls that
// succeeded.
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int at_start = errno;
  errno = 77;
  if (write(1, "text\n", 5) != 5) return 1;
  int after_write = errno;
  setvbuf(stdout, NULL, _IOFBF, 4096);
  errno = 77;
  printf("text\n");
  fflush(stdout);
  int after_fflush = errno;
  printf("%d %d %d\n", at_start, after_write, after_fflush);
  return 0;
}
