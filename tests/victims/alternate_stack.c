// Victim: writes from a signal handler on a small alternate stack.
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void on_signal(int signal) {
  (void)signal;
  if (write(1, "handler\n", 8) != 8) _exit(1);
}

int main(void) {
  // What the kernel needs for the processor's registers, and 4 KiB for the handler.
  size_t size = (size_t)sysconf(_SC_MINSIGSTKSZ) + 4096;
  stack_t stack = {.ss_sp = malloc(size), .ss_size = size};
  if (sigaltstack(&stack, NULL) != 0) return 1;
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, NULL);
  for (int i = 0; i < 3; ++i) raise(SIGUSR1);
  return 0;
}
