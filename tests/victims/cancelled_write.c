// Victim: a thread that is cancelled while it is blocked in write, or in fwrite when that is the
// argument, on a full pipe. Tells on descriptor 2 that the cleanup handler ran and how the thread
// ended.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char much[1 << 20];
static int full_pipe;
static FILE* stream;
static atomic_int writer_id;

static void clean_up(void* unused) {
  (void)unused;
  dprintf(2, "cleanup ran\n");
}

static void* write_until_cancelled(void* unused) {
  pthread_cleanup_push(clean_up, NULL);
  atomic_store(&writer_id, gettid());
  if (stream != NULL) {
    fwrite(much, 1, sizeof much, stream);
  } else if (write(full_pipe, much, sizeof much) < 0) {
    dprintf(2, "write failed\n");
  }
  pthread_cleanup_pop(0);
  return unused;
}

static char state_of(int thread) {
  char path[64], line[256] = "";
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
  int fd = open(path, O_RDONLY);
  ssize_t size = read(fd, line, sizeof line - 1);
  close(fd);
  const char* name_end = size > 0 ? strrchr(line, ')') : NULL;
  return name_end != NULL ? name_end[2] : '?';
}

int main(int argc, char** argv) {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  full_pipe = ends[1];
  if (argc > 1 && strcmp(argv[1], "fwrite") == 0) stream = fdopen(ends[1], "w");
  pthread_t thread;
  pthread_create(&thread, NULL, write_until_cancelled, NULL);
  while (atomic_load(&writer_id) == 0) usleep(1000);
  while (state_of(atomic_load(&writer_id)) != 'S') usleep(1000);
  pthread_cancel(thread);
  void* result;
  pthread_join(thread, &result);
  dprintf(2, "%s\n", result == PTHREAD_CANCELED ? "cancelled" : "ended by itself");
  _exit(0);
}
