// Victim: writes to a descriptor (first argument) once for each further argument, which is a number
// of bytes, with an `n` behind it if the last of them is to be a newline: `write_sizes 1 37n 4096`.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int fd = atoi(argv[1]);
  for (int i = 2; i < argc; ++i) {
    char* suffix;
    size_t size = strtoul(argv[i], &suffix, 10);
    char* text = malloc(size + 1);
    memset(text, 'x', size);
    if (*suffix == 'n') text[size - 1] = '\n';
    if (write(fd, text, size) != (ssize_t)size) return 1;
    free(text);
  }
  return 0;
}
