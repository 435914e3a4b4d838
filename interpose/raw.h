// The library's own system calls, raw: no hooked name, no errno, no cancellation point. Any
// context. Results are the kernel's: a negative errno on failure.
#pragma once

#include <fcntl.h>
#include <linux/stat.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>

#include "interpose/arch.h"

namespace iotrace::raw {

inline long address(const void* pointer) { return reinterpret_cast<long>(pointer); }

inline int open(const char* path, int flags) {
  return static_cast<int>(raw_syscall(SYS_openat, AT_FDCWD, address(path), flags | O_CLOEXEC, 0));
}
inline int close(int fd) { return static_cast<int>(raw_syscall(SYS_close, fd)); }
inline long read(int fd, void* buffer, size_t size) {
  return raw_syscall(SYS_read, fd, address(buffer), static_cast<long>(size));
}
// What fd refers to, without its times and blocks, which stay 0. By statx, which can be asked for
// that alone: after somebody has seen a file's times, the next write
// sets them anew, to the nanosecond (multigrain timestamps, Linux 6.13), and takes several times as
// long.
inline int fstat(int fd, struct stat* status) {
  struct statx found = {};
  long result = raw_syscall(
      SYS_statx, fd, address(""), AT_EMPTY_PATH,
      STATX_TYPE | STATX_MODE | STATX_NLINK | STATX_UID | STATX_GID | STATX_INO | STATX_SIZE,
      address(&found));
  // A kernel without it, or a filter that knows fstat alone and may answer with any error.
  if (result != 0) return static_cast<int>(raw_syscall(SYS_fstat, fd, address(status)));
  *status = {};
  status->st_dev = makedev(found.stx_dev_major, found.stx_dev_minor);
  status->st_rdev = makedev(found.stx_rdev_major, found.stx_rdev_minor);
  status->st_ino = found.stx_ino;
  status->st_mode = found.stx_mode;
  status->st_nlink = found.stx_nlink;
  status->st_uid = found.stx_uid;
  status->st_gid = found.stx_gid;
  status->st_size = static_cast<off_t>(found.stx_size);
  return 0;
}
inline int stat(const char* path, struct stat* status) {
  return static_cast<int>(raw_syscall(SYS_newfstatat, AT_FDCWD, address(path), address(status), 0));
}
inline long readlink(const char* path, char* buffer, size_t size) {
  return raw_syscall(SYS_readlinkat, AT_FDCWD, address(path), address(buffer),
                     static_cast<long>(size));
}
inline bool accessible(const char* path, int mode) {
  return raw_syscall(SYS_faccessat, AT_FDCWD, address(path), mode) == 0;
}
// Returns nullptr on failure.
inline void* map(size_t size, int protection, int flags, int fd, uint64_t offset) {
  long result = raw_syscall(SYS_mmap, 0, static_cast<long>(size), protection, flags, fd,
                            static_cast<long>(offset));
  return result < 0 && result > -4096 ? nullptr : reinterpret_cast<void*>(result);
}
inline int unmap(void* start, size_t size) {
  return static_cast<int>(raw_syscall(SYS_munmap, address(start), static_cast<long>(size)));
}
inline int protect(void* start, size_t size, int protection) {
  return static_cast<int>(
      raw_syscall(SYS_mprotect, address(start), static_cast<long>(size), protection));
}
inline int advise(void* start, size_t size, int advice) {
  return static_cast<int>(
      raw_syscall(SYS_madvise, address(start), static_cast<long>(size), advice));
}
// Whether all pages from `start`, a multiple of their size, are mapped. One byte each in `in_core`.
inline bool is_mapped(uintptr_t start, size_t size, unsigned char* in_core) {
  return raw_syscall(SYS_mincore, static_cast<long>(start), static_cast<long>(size),
                     address(in_core)) == 0;
}
inline int getpid() { return static_cast<int>(raw_syscall(SYS_getpid)); }
inline int gettid() { return static_cast<int>(raw_syscall(SYS_gettid)); }
inline bool thread_exists(int pid, int tid) {
  return raw_syscall(SYS_tgkill, pid, tid, 0) != -3;  // ESRCH
}
// Copies from this process's own memory without faulting. Returns whether all of it was readable.
inline bool read_memory(const void* from, void* to, size_t size) {
  iovec local = {to, size};
  iovec remote = {const_cast<void*>(from), size};
  return raw_syscall(SYS_process_vm_readv, getpid(), address(&local), 1, address(&remote), 1, 0) ==
         static_cast<long>(size);
}
// Copies one byte from each place. Returns whether all were readable.
inline bool read_bytes(const iovec* places, size_t count, char* to) {
  iovec local = {to, count};
  return raw_syscall(SYS_process_vm_readv, getpid(), address(&local), 1, address(places),
                     static_cast<long>(count), 0) == static_cast<long>(count);
}

// Makes the kernel write one word to `page`, so that a page that cannot be had (file system full)
// is an error and no SIGBUS. What it leaves there is overwritten by zero.
inline bool page_is_writable(void* page) {
  unsigned* word = static_cast<unsigned*>(page);
  if (raw_syscall(SYS_getcpu, address(word), 0, 0) != 0) return false;
  __atomic_store_n(word, 0u, __ATOMIC_RELAXED);
  return true;
}

// Writes "/proc/self/fd/FD".
inline void write_descriptor_link(int fd, char (&link)[32]) {
  constexpr char kDirectory[] = "/proc/self/fd/";
  __builtin_memcpy(link, kDirectory, sizeof(kDirectory));
  char* end = link + sizeof(kDirectory) - 1;
  char digits[12];
  int count = 0;
  unsigned rest = static_cast<unsigned>(fd);
  do {
    digits[count++] = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  while (count > 0) *end++ = digits[--count];
  *end = 0;
}

}  // namespace iotrace::raw
