// Victim: makes every output call that there is, each on a descriptor of its own and with a size of
// its own, through libc's functions or, when the second argument is "raw", through syscall(). The
// first argument is a file of at least 100 bytes; new files are made in the current directory.
// Silent; exits with the line of the first call that went wrong.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static bool raw;

#define CALL(name, ...) (raw ? syscall(SYS_##name, __VA_ARGS__) : (long)name(__VA_ARGS__))
#define EXPECT(size, call) \
  if ((call) != (size)) _exit(__LINE__ % 250 + 1)

static int new_file(const char* name) { return open(name, O_RDWR | O_CREAT | O_TRUNC, 0666); }

static int new_socket(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) _exit(251);
  return ends[0];
}

struct Pipe {
  int read_end, write_end;
};

static struct Pipe new_pipe(void) {
  int ends[2];
  if (pipe(ends) != 0) _exit(252);
  return (struct Pipe){ends[0], ends[1]};
}

int main(int argc, char** argv) {
  raw = argc > 2 && strcmp(argv[2], "raw") == 0;
  int source = open(argv[1], O_RDONLY);
  char text[32];
  memset(text, 'x', sizeof text);
  struct iovec two[2] = {{text, 1}, {text, 2}};
  loff_t offset = 0;

  EXPECT(1, CALL(write, new_file("write"), text, 1L));
  EXPECT(3, CALL(writev, new_file("writev"), two, 2L));
  if (raw) {
    EXPECT(4, syscall(SYS_pwrite64, new_file("pwrite64"), text, 4L, 10L));
    EXPECT(3, syscall(SYS_pwritev, new_file("pwritev"), two, 2L, 10L, 0L));
    EXPECT(3, syscall(SYS_pwritev2, new_file("pwritev2"), two, 2L, 10L, 0L, 0L));
  } else {
    EXPECT(4, pwrite(new_file("pwrite64"), text, 4, 10));
    EXPECT(3, pwritev(new_file("pwritev"), two, 2, 10));
    EXPECT(3, pwritev2(new_file("pwritev2"), two, 2, 10, 0));
  }

  int to = new_socket();
  EXPECT(6, CALL(sendto, to, text, 6L, 0L, NULL, 0L));
  EXPECT(7, raw ? syscall(SYS_sendto, to, text, 7L, 0L, NULL, 0L) : send(to, text, 7, 0));

  struct iovec eight = {text, 8}, nine = {text, 9};
  struct msghdr message = {.msg_iov = &eight, .msg_iovlen = 1};
  EXPECT(8, CALL(sendmsg, new_socket(), &message, 0L));
  struct mmsghdr messages[2] = {{.msg_hdr = {.msg_iov = &eight, .msg_iovlen = 1}},
                                {.msg_hdr = {.msg_iov = &nine, .msg_iovlen = 1}}};
  EXPECT(2, CALL(sendmmsg, new_socket(), messages, 2L, 0L));

  EXPECT(10, CALL(sendfile, new_file("sendfile"), source, &offset, 10L));
  EXPECT(11, CALL(copy_file_range, source, NULL, new_file("copy_file_range"), NULL, 11L, 0L));

  struct Pipe first = new_pipe(), second = new_pipe(), third = new_pipe();
  EXPECT(12, CALL(splice, source, NULL, first.write_end, NULL, 12L, 0L));
  EXPECT(12, CALL(tee, first.read_end, second.write_end, 12L, 0L));
  struct iovec fourteen = {text, 14};
  EXPECT(14, CALL(vmsplice, third.write_end, &fourteen, 1L, 0L));
  return 0;
}
