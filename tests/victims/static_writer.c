// Victim: makes 5 writes of 7 bytes. Linked statically, so that no library can be loaded into it.
#include <unistd.h>

int main(void) {
  for (int i = 0; i < 5; ++i) {
    if (write(1, "static\n", 7) != 7) return 1;
  }
  return 0;
}
