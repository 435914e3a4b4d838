// Linked statically: no preload library gets into it. The kernel's own count is all that can tell
// of its calls.
#include <stdio.h>
#include <unistd.h>

int main(void) {
  for (int i = 0; i < 100; ++i) {
    printf("%s %d\n", "static", i);
    if (i % 10 == 0) fflush(stdout);
    if (write(2, "error\n", 6) != 6) return 1;
  }
  return 0;
}
