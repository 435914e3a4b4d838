// Two threads that write at once, as many lines each as the argument says: shows what the counters
// of one thread cost another.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static long lines;

static void* write_lines(void* unused) {
  static const char line[] = "one of two threads writes this line\n";
  for (long i = 0; i < lines; ++i) {
    if (write(1, line, sizeof line - 1) < 0) abort();
  }
  return unused;
}

int main(int argc, char** argv) {
  lines = argc > 1 ? atol(argv[1]) : 1000000;
  pthread_t other;
  if (pthread_create(&other, NULL, write_lines, NULL) != 0) return 1;
  write_lines(NULL);
  return pthread_join(other, NULL);
}
