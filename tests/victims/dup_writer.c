// Victim: writes known numbers of bytes through duplicates of descriptors 1 and 2 made in every
// way, and through a descriptor of its own that it opens by the name in the first argument. To
// descriptor 1's target: 1 + 2 + 4 + 8 bytes, to 2's: 16 + 32, by name: 64.
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

static void put(int fd, int size) {
  char text[64] = {0};
  for (int i = 0; i < size; ++i) text[i] = '.';
  if (write(fd, text, (size_t)size) != size) _exit(1);
}

int main(int argc, char** argv) {
  put(dup(1), 1);
  put(dup2(1, 20), 2);
  put(dup3(1, 21, O_CLOEXEC), 4);
  put(fcntl(1, F_DUPFD, 30), 8);
  put(fcntl(2, F_DUPFD_CLOEXEC, 40), 16);
  put(dup(40), 32);
  put(open(argc > 1 ? argv[1] : "/dev/null", O_WRONLY | O_APPEND), 64);
  return 0;
}
