// The exported calls that make a descriptor number mean something else. Any thread; close, dup2 and
// fcntl also in signal handlers and in the children of fork and vfork.
//
// A number is forgotten before it is closed: another thread may get it for a new file the moment
// the kernel has closed it.

#include <linux/close_range.h>

#include "interpose/attach.h"
#include "interpose/descriptors.h"
#include "interpose/export.h"
#include "interpose/symbols.h"

namespace next = iotrace::next;
using iotrace::forget;
using iotrace::forget_range;
using iotrace::note_new_target;
using iotrace::origin_of;

namespace {

int note_duplicate(int from, int to) {
  if (to >= 0 && to != from) note_new_target(to, origin_of(from));
  return to;
}

bool duplicates(int command) { return command == F_DUPFD || command == F_DUPFD_CLOEXEC; }

void* pointer_argument(va_list arguments) { return va_arg(arguments, void*); }

void forget_standard_descriptors() { forget_range(0, 2); }

}  // namespace

IOTRACE_EXPORT int close(int fd) {
  forget(fd);
  return next::close(fd);
}
IOTRACE_EXPORT_ALIAS(__close, close);

IOTRACE_EXPORT int dup(int fd) noexcept { return note_duplicate(fd, next::dup(fd)); }

IOTRACE_EXPORT int dup2(int from, int to) noexcept {
  return note_duplicate(from, next::dup2(from, to));
}
IOTRACE_EXPORT_ALIAS(__dup2, dup2);

IOTRACE_EXPORT int dup3(int from, int to, int flags) noexcept {
  return note_duplicate(from, next::dup3(from, to, flags));
}

IOTRACE_EXPORT int fcntl(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = pointer_argument(arguments);
  va_end(arguments);
  int result = next::fcntl(fd, command, argument);
  return duplicates(command) ? note_duplicate(fd, result) : result;
}
IOTRACE_EXPORT_ALIAS(__fcntl, fcntl);

IOTRACE_EXPORT int fcntl64(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = pointer_argument(arguments);
  va_end(arguments);
  int result = next::fcntl64(fd, command, argument);
  return duplicates(command) ? note_duplicate(fd, result) : result;
}

IOTRACE_EXPORT int close_range(unsigned first, unsigned last, int flags) noexcept {
  int result = next::close_range(first, last, flags);
  if (result == 0 && !(static_cast<unsigned>(flags) & CLOSE_RANGE_CLOEXEC))
    forget_range(first, last);
  return result;
}

IOTRACE_EXPORT void closefrom(int first) noexcept {
  next::closefrom(first);
  forget_range(first < 0 ? 0 : static_cast<unsigned>(first), ~0u);
}

IOTRACE_EXPORT int closedir(DIR* directory) {
  int fd = directory != nullptr ? dirfd(directory) : -1;
  if (fd >= 0) forget(fd);
  return next::closedir(directory);
}

IOTRACE_EXPORT int daemon(int keep_directory, int keep_descriptors) noexcept {
  int result = next::daemon(keep_directory, keep_descriptors);
  if (result == 0 && !keep_descriptors) forget_standard_descriptors();
  return result;
}

IOTRACE_EXPORT int login_tty(int fd) noexcept {
  int result = next::login_tty(fd);
  if (result == 0) {
    forget_standard_descriptors();
    if (fd > 2) forget(fd);
  }
  return result;
}

IOTRACE_EXPORT int forkpty(int* controller, char* name, const termios* settings,
                           const winsize* size) noexcept {
  int result = next::forkpty(controller, name, settings, size);
  if (result == 0) {
    forget_standard_descriptors();
    iotrace::attach_in_forked_child();
  }
  return result;
}
