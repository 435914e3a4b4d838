// Victim: tells which number its first open() returns, and which descriptors are open at the start
// and after output.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void list_descriptors(void) {
  DIR* directory = opendir("/proc/self/fd");
  for (struct dirent* entry; (entry = readdir(directory)) != NULL;) {
    if (entry->d_name[0] != '.') printf("%s ", entry->d_name);
  }
  printf("\n");
  fflush(stdout);
  closedir(directory);
}

int main(void) {
  int first = open("/dev/null", O_RDONLY);
  printf("first %d\n", first);
  close(first);
  list_descriptors();
  list_descriptors();
  return 0;
}
