// Creates, writes, closes and removes one small file after the other, as often as argument 2 says,
// in a directory that it makes and removes (argument 1): every write goes to a descriptor that
// iotrace has to look up again.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc != 3 || mkdir(argv[1], 0700) != 0) return 2;
  for (long i = atol(argv[2]); i > 0; --i) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%ld", argv[1], i);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, path, 20) != 20) return 1;
    close(fd);
    unlink(path);
  }
  return rmdir(argv[1]);
}
