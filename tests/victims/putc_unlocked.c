// Victim: 10,000 characters by putc_unlocked, which the compiler makes a store into the buffer of:
// no call to count.
#include <stdio.h>

int main(void) {
  for (int i = 0; i < 10000; ++i) putc_unlocked(i % 50 == 49 ? '\n' : '.', stdout);
  return 0;
}
