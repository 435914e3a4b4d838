// Calls that signals interrupt: restarted by the kernel, failed with EINTR and called again, ended
// by SIGPIPE, SIGKILL and by the end of the process in another thread. Each blocks in a full pipe;
// that it does is read from /proc, not guessed from a clock.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int pipe_ends[2];

static void make_full_pipe(void) {
  static const char page[4096];
  if (pipe(pipe_ends) != 0) abort();
  fcntl(pipe_ends[1], F_SETFL, O_NONBLOCK);
  while (write(pipe_ends[1], page, sizeof page) > 0) continue;
  fcntl(pipe_ends[1], F_SETFL, 0);
}

static void wait_until_asleep(pid_t thread) {
  char path[64], status[512];
  snprintf(path, sizeof path, "/proc/%d/stat", thread);
  for (;;) {
    const int fd = open(path, O_RDONLY);
    const ssize_t length = read(fd, status, sizeof status - 1);
    close(fd);
    if (length <= 0) abort();
    status[length] = '\0';
    if (strrchr(status, ')')[2] == 'S') return;
    usleep(1000);
  }
}

static void handle(int signal_number) {
  const char* word = signal_number == SIGUSR1 ? "restarted\n" : "called again\n";
  if (write(2, word, strlen(word)) < 0) abort();
}

static void* interrupt(void* writer) {
  const pid_t thread = *(pid_t*)writer;
  const int signals[] = {SIGUSR1, SIGUSR2, SIGUSR1, SIGUSR1};
  for (int i = 0; i < 4; ++i) {
    wait_until_asleep(thread);
    tgkill(getpid(), thread, signals[i]);
  }
  wait_until_asleep(thread);
  char page[4096];
  if (read(pipe_ends[0], page, sizeof page) != sizeof page) abort();
  return NULL;
}

static void be_interrupted(void) {
  pid_t self = gettid();
  pthread_t thread;
  make_full_pipe();
  pthread_create(&thread, NULL, interrupt, &self);
  while (write(pipe_ends[1], "blocked", 7) < 0) continue;
  pthread_join(thread, NULL);
}

static void* block(void* started) {
  *(volatile pid_t*)started = gettid();
  if (write(pipe_ends[1], "until the end", 13) != 13) abort();
  return NULL;
}

static void end_in_another_thread(void) {
  volatile pid_t writer = 0;
  pthread_t thread;
  make_full_pipe();
  pthread_create(&thread, NULL, block, (void*)&writer);
  while (writer == 0) usleep(1000);
  wait_until_asleep(writer);
  _exit(0);
}

static void block_forever(void) {
  make_full_pipe();
  pid_t ignored;
  block(&ignored);
}

static void break_pipe(void) {
  make_full_pipe();
  close(pipe_ends[0]);
  if (write(pipe_ends[1], "nobody reads", 12) >= 0) abort();
}

static pid_t in_child(void (*action)(void)) {
  const pid_t child = fork();
  if (child == 0) {
    action();
    _exit(1);
  }
  return child;
}

int main(void) {
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  action.sa_flags = 0;
  sigaction(SIGUSR2, &action, NULL);

  be_interrupted();
  waitpid(in_child(break_pipe), NULL, 0);
  waitpid(in_child(end_in_another_thread), NULL, 0);
  const pid_t victim = in_child(block_forever);
  wait_until_asleep(victim);
  kill(victim, SIGKILL);
  waitpid(victim, NULL, 0);
  return write(1, "done\n", 5) == 5 ? 0 : 1;
}
