// Victim: closes all descriptors first, as daemons do, then opens the file of its argument, tells
// in it which number that got, and exits with that number.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc < 2) return 100;
  closefrom(0);
  int fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0666);
  dprintf(fd, "descriptor %d\n", fd);
  return fd;
}
