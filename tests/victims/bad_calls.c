// Victim: makes one output call go wrong, the way that its argument names, and tells on descriptor
// 2 what the caller saw.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

// An address that is never mapped; volatile, so that the compiler does not see what is wrong with
// it.
static char* volatile nowhere = (char*)16;

static void tell(const char* call, long result) {
  int error = errno;
  dprintf(2, "%s %ld %s\n", call, result, result < 0 ? strerrorname_np(error) : "-");
  errno = 0;
}

static int pipe_to(int* read_end, int flags) {
  int ends[2];
  if (pipe2(ends, flags) != 0) _exit(1);
  *read_end = ends[0];
  return ends[1];
}

static void bad_pointers(int fd) {
  struct iovec bad = {nowhere, 5};
  tell("write", write(fd, nowhere, 5));
  tell("writev", writev(fd, &bad, 1));
  tell("writev array", writev(fd, (struct iovec*)nowhere, 1));
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  int read_end;
  if (strcmp(what, "ebadf") == 0) {
    tell("write", write(77, "five\n", 5));
  } else if (strcmp(what, "epipe") == 0) {
    signal(SIGPIPE, SIG_IGN);
    int fd = pipe_to(&read_end, 0);
    close(read_end);
    tell("write", write(fd, "five\n", 5));
  } else if (strcmp(what, "eagain") == 0) {
    static char much[100000];
    int fd = pipe_to(&read_end, O_NONBLOCK);
    tell("write", write(fd, much, sizeof much));
    tell("write", write(fd, much, 1));
  } else if (strcmp(what, "enospc") == 0) {
    tell("write", write(open("/dev/full", O_WRONLY), "five\n", 5));
  } else if (strcmp(what, "efault") == 0) {
    int sockets[2];
    struct iovec bad = {nowhere, 5};
    struct msghdr message = {.msg_iov = &bad, .msg_iovlen = 1};
    bad_pointers(pipe_to(&read_end, 0));
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return 1;
    tell("sendmsg", sendmsg(sockets[0], &message, 0));
    tell("sendmsg header", sendmsg(sockets[0], (struct msghdr*)nowhere, 0));
  } else if (strcmp(what, "unread") == 0) {
    // The null device takes what it never looks at.
    bad_pointers(open("/dev/null", O_WRONLY));
  } else {
    return 2;
  }
  return 0;
}
