// Victim: writes bytes to descriptor 1 while a timer's signal handler writes to it as well. Tells
// on descriptor 2 how many writes there were, so that a count can be compared with it.
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t handler_writes;

static void on_alarm(int signal) {
  (void)signal;
  if (write(1, "h", 1) == 1) ++handler_writes;
}

int main(void) {
  struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, NULL);
  struct itimerval often = {{0, 100}, {0, 100}};
  setitimer(ITIMER_REAL, &often, NULL);
  long writes = 0;
  while (writes < 300000 || handler_writes < 200) {
    if (write(1, "m", 1) == 1) ++writes;
  }
  struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
  dprintf(2, "%ld\n", writes + handler_writes);
  return 0;
}
