// C's stdio: both streams, every buffering, large writes, threads, dprintf, perror, a child that
// inherits a full buffer.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void* print_lines(void* stream) {
  for (int i = 0; i < 1000; ++i) fprintf(stream, "line of a thread\n");
  return NULL;
}

int main(void) {
  for (int i = 0; i < 2000; ++i) printf("line %d\n", i);
  for (int i = 0; i < 50; ++i) fprintf(stderr, "%s %d\n", "error", i);
  fflush(stdout);
  puts("a line");
  putchar('c');
  fputs("text", stderr);
  errno = ENOENT;
  perror("perror");
  dprintf(1, "%s\n", "dprintf");
  static char large[100000];
  memset(large, 'x', sizeof large);
  fwrite(large, 1, sizeof large, stdout);

  FILE* file = fopen("stdio.out", "w");
  setvbuf(file, NULL, _IOLBF, 512);
  for (int i = 0; i < 100; ++i) fprintf(file, "line-buffered %d\n", i);
  fclose(file);
  file = fopen("stdio.raw", "w");
  setvbuf(file, NULL, _IONBF, 0);
  for (int i = 0; i < 100; ++i) fprintf(file, "unbuffered %d, %s\n", i, "twice");
  fclose(file);
  file = popen("cat; echo end of the pipe >&2", "w");
  fprintf(file, "through a pipe\n");
  pclose(file);

  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, print_lines, i % 2 ? stderr : stdout);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  fflush(stdout);

  printf("printed once, written twice\n");
  const pid_t child = fork();
  if (child == 0) exit(0);
  waitpid(child, NULL, 0);
  printf("never flushed by _exit\n");
  fflush(stderr);
  _exit(5);
}
