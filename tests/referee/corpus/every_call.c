// Every output call at least once, through its libc function and through syscall(); some of them
// fail on purpose.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static char text[] = "0123456789abcdef";

static void send_messages(int socket) {
  struct iovec parts[2] = {{text, 4}, {text, 8}};
  struct mmsghdr messages[2] = {{.msg_hdr = {.msg_iov = parts, .msg_iovlen = 1}},
                                {.msg_hdr = {.msg_iov = parts, .msg_iovlen = 2}}};
  send(socket, text, 3, 0);
  sendto(socket, text, 5, MSG_NOSIGNAL, NULL, 0);
  sendmsg(socket, &messages[1].msg_hdr, 0);
  sendmmsg(socket, messages, 2, 0);
}

static void write_file(int file, int other) {
  struct iovec parts[3] = {{text, 1}, {text, 0}, {text, 15}};
  if (write(file, text, 16) + writev(file, parts, 3) + pwrite(file, text, 9, 100) < 0) abort();
  if (pwritev(file, parts, 3, 200) + pwritev2(file, parts, 2, -1, 0) < 0) abort();
  loff_t from = 0;
  copy_file_range(file, &from, other, NULL, 10, 0);
  off_t start = 0;
  sendfile(other, file, &start, 7);
}

static void fill_pipes(int file) {
  int a[2], b[2];
  if (pipe(a) != 0 || pipe(b) != 0) abort();
  struct iovec part = {text, 16};
  loff_t start = 0;
  vmsplice(a[1], &part, 1, 0);
  tee(a[0], b[1], 12, 0);
  splice(file, &start, b[1], NULL, 6, 0);
  splice(a[0], NULL, 1, NULL, 16, 0);
}

static void fail(int read_only) {
  struct iovec part = {text, 4};
  char* volatile nowhere = NULL;
  int full[2];
  if (pipe2(full, O_NONBLOCK) != 0) abort();
  while (write(full[1], text, 16) > 0) continue;
  if (write(-1, text, 1) + write(read_only, text, 1) + write(1, nowhere, 1) > 0) abort();
  if (writev(read_only, &part, 1) + pwrite(full[1], text, 1, 0) + pwrite(1, text, 1, -1) > 0)
    abort();
  send(1, text, 1, 0);
  copy_file_range(read_only, NULL, -1, NULL, 1, 0);
  signal(SIGPIPE, SIG_IGN);
  close(full[0]);
  if (write(full[1], text, 16) + write(1, text, 0) > 0) abort();
}

int main(void) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return 1;
  const int file = open("every.out", O_RDWR | O_CREAT | O_TRUNC, 0644);
  const int other = open("every.copy", O_RDWR | O_CREAT | O_TRUNC, 0644);
  const int read_only = open("every.out", O_RDONLY);
  send_messages(sockets[0]);
  write_file(file, other);
  fill_pipes(file);
  fail(read_only);
  syscall(SYS_write, 1, text, 16);
  syscall(SYS_writev, 2, &(struct iovec){text, 5}, 1);
  syscall(SYS_pwrite64, file, text, 5L, 300L);
  syscall(SYS_sendto, sockets[0], text, 2L, 0, NULL, 0);
  return 0;
}
