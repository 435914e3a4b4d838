// Victim: a thread is cancelled in a blocked write while C++ objects are alive in the frames above
// it. Tells on descriptor 2 which destructors ran.
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdio>

namespace {

int full_pipe[2];

struct Guard {
  const char* name;
  explicit Guard(const char* its_name) : name(its_name) {}
  ~Guard() { dprintf(2, "%s destroyed\n", name); }
};

void write_in_a_frame_of_its_own() {
  Guard inner("inner");
  static char much[1 << 20];
  if (write(full_pipe[1], much, sizeof much) < 0) dprintf(2, "write failed\n");
}

void* write_until_cancelled(void*) {
  Guard outer("outer");
  write_in_a_frame_of_its_own();
  return nullptr;
}

}  // namespace

int main() {
  if (pipe(full_pipe) != 0) return 1;
  pthread_t thread;
  pthread_create(&thread, nullptr, write_until_cancelled, nullptr);
  // The pipe's first bytes show that the thread is in its call, which can then only go on to block.
  char byte;
  if (read(full_pipe[0], &byte, 1) != 1) return 1;
  pthread_cancel(thread);
  void* result = nullptr;
  pthread_join(thread, &result);
  dprintf(2, "%s\n", result == PTHREAD_CANCELED ? "cancelled" : "ended by itself");
  return 0;
}
