// Victim: says "ready", waits for a signal among SIGTERM, SIGINT, SIGHUP, SIGUSR1 and SIGUSR2,
// leaves a second one time to arrive, and tells how many came. With "--new-group" as its argument
// it leaves its process group first.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t count;

static void on_signal(int signal) {
  (void)signal;
  ++count;
}

int main(int argc, char** argv) {
  const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2};
  sigset_t blocked, before;
  sigemptyset(&blocked);
  struct sigaction action = {.sa_handler = on_signal};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) {
    sigaction(signals[i], &action, NULL);
    sigaddset(&blocked, signals[i]);
  }
  if (argc > 1 && strcmp(argv[1], "--new-group") == 0) setpgid(0, 0);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  dprintf(1, "ready\n");
  sigsuspend(&before);
  sigprocmask(SIG_SETMASK, &before, NULL);
  struct timespec left = {0, 200000000};
  while (nanosleep(&left, &left) != 0) {
  }
  dprintf(1, "signals %d\n", (int)count);
  return 0;
}
