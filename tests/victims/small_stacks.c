// Victim: 50 threads, one after the other, with stacks of 16 KiB, each of which writes and prints.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void* put_out(void* unused) {
  if (write(1, "write\n", 6) != 6) _exit(1);
  fputs("stdio\n", stdout);
  fflush(stdout);
  return unused;
}

int main(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstacksize(&attributes, 16384) != 0) return 1;
  for (int i = 0; i < 50; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, put_out, NULL) != 0) return 1;
    pthread_join(thread, NULL);
  }
  return 0;
}
