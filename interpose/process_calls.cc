// The exported calls that make processes, execute programs, or decide what the kernel tells their
// parent. Any thread; exec also in the children of fork and vfork.
//
// The forms of exec are built on two of them, since the C library's own forms call each other
// internally, past us.

#include <alloca.h>

#include "interpose/arena_map.h"
#include "interpose/attach.h"
#include "interpose/exec_environment.h"
#include "interpose/export.h"
#include "interpose/image.h"
#include "interpose/program_file.h"
#include "interpose/readable.h"
#include "interpose/symbols.h"

namespace next = iotrace::next;
using iotrace::exec_announced;
using iotrace::kPathCapacity;

namespace {

pid_t attached(pid_t pid) {
  if (pid == 0) {
    int error = errno;
    iotrace::attach_in_forked_child();
    errno = error;
  }
  return pid;
}

long execute(const char* path, char* const* argv, char* const* environment) {
  return exec_announced({.path = path, .argv = argv, .environment = environment},
                        [&](char** replaced) { return next::execve(path, argv, replaced); });
}

long search_and_execute(const char* file, char* const* argv, char* const* environment) {
  char path[kPathCapacity];
  bool found = file != nullptr && iotrace::search_path(file, path, sizeof(path));
  return exec_announced({.path = found ? path : nullptr, .argv = argv, .environment = environment},
                        [&](char** replaced) { return next::execvpe(file, argv, replaced); });
}

// What a disposition means for the kernel's count: children whose end is ignored drop out of it,
// and calls that a handler interrupts and the kernel restarts are in it twice.
void note_handler(int number, sighandler_t handler, int flags) {
  bool catches = handler != SIG_IGN && handler != SIG_DFL;
  if (number == SIGCHLD && (handler == SIG_IGN || (flags & SA_NOCLDWAIT))) {
    iotrace::add_image_flags(iotrace::kImageIgnoresChildren);
  }
  if (catches && (flags & SA_RESTART)) iotrace::add_image_flags(iotrace::kImageRestartsCalls);
}

// The arguments of execl and its kin: `first` and what follows, up to a null pointer.
size_t count_arguments(va_list arguments) {
  size_t count = 1;
  while (va_arg(arguments, char*) != nullptr) ++count;
  return count;
}

void collect_arguments(const char* first, va_list arguments, size_t count, char** argv) {
  argv[0] = const_cast<char*>(first);
  for (size_t i = 1; i <= count; ++i) argv[i] = va_arg(arguments, char*);
}

// Puts the arguments after `first` into `argv`, on the caller's stack: no allocation in the child
// of a vfork.
#define COLLECT_ARGUMENTS(first, argv, environment)                             \
  va_list counted_, collected_;                                                 \
  va_start(counted_, first);                                                    \
  va_copy(collected_, counted_);                                                \
  size_t count_ = (first) == nullptr ? 0 : count_arguments(counted_);           \
  va_end(counted_);                                                             \
  char** argv = static_cast<char**>(alloca((count_ + 1) * sizeof(char*)));      \
  if (count_ == 0)                                                              \
    argv[0] = nullptr;                                                          \
  else                                                                          \
    collect_arguments(first, collected_, count_, argv);                         \
  [[maybe_unused]] char* const* environment = va_arg(collected_, char* const*); \
  va_end(collected_)

}  // namespace

IOTRACE_EXPORT pid_t fork() noexcept { return attached(next::fork()); }
IOTRACE_EXPORT_ALIAS(__fork, fork);
IOTRACE_EXPORT pid_t _Fork() noexcept { return attached(next::_Fork()); }

IOTRACE_EXPORT int execve(const char* path, char* const argv[],
                          char* const environment[]) noexcept {
  return static_cast<int>(execute(path, argv, environment));
}

IOTRACE_EXPORT int execv(const char* path, char* const argv[]) noexcept {
  return static_cast<int>(execute(path, argv, environ));
}

IOTRACE_EXPORT int execvpe(const char* file, char* const argv[],
                           char* const environment[]) noexcept {
  return static_cast<int>(search_and_execute(file, argv, environment));
}

IOTRACE_EXPORT int execvp(const char* file, char* const argv[]) noexcept {
  return static_cast<int>(search_and_execute(file, argv, environ));
}

IOTRACE_EXPORT int execl(const char* path, const char* first, ...) noexcept {
  COLLECT_ARGUMENTS(first, argv, unused);
  return static_cast<int>(execute(path, argv, environ));
}

IOTRACE_EXPORT int execle(const char* path, const char* first, ...) noexcept {
  COLLECT_ARGUMENTS(first, argv, environment);
  return static_cast<int>(execute(path, argv, environment));
}

IOTRACE_EXPORT int execlp(const char* file, const char* first, ...) noexcept {
  COLLECT_ARGUMENTS(first, argv, unused);
  return static_cast<int>(search_and_execute(file, argv, environ));
}

IOTRACE_EXPORT int fexecve(int fd, char* const argv[], char* const environment[]) noexcept {
  return static_cast<int>(
      exec_announced({.fd = fd, .argv = argv, .environment = environment},
                     [&](char** replaced) { return next::fexecve(fd, argv, replaced); }));
}

IOTRACE_EXPORT int execveat(int directory, const char* path, char* const argv[],
                            char* const environment[], int flags) noexcept {
  bool by_descriptor = path != nullptr && *path == 0 && (flags & AT_EMPTY_PATH);
  bool plain = path != nullptr && (directory == AT_FDCWD || *path == '/');
  return static_cast<int>(exec_announced(
      {.path = plain ? path : nullptr,
       .fd = by_descriptor ? directory : -1,
       .argv = argv,
       .environment = environment},
      [&](char** replaced) { return next::execveat(directory, path, argv, replaced, flags); }));
}

IOTRACE_EXPORT int posix_spawn(pid_t* pid, const char* path,
                               const posix_spawn_file_actions_t* actions,
                               const posix_spawnattr_t* attributes, char* const argv[],
                               char* const environment[]) {
  return static_cast<int>(exec_announced({.path = path,
                                          .argv = argv,
                                          .environment = environment,
                                          .spawns = true,
                                          .moves_descriptors = actions != nullptr},
                                         [&](char** replaced) {
                                           return next::posix_spawn(pid, path, actions, attributes,
                                                                    argv, replaced);
                                         }));
}

IOTRACE_EXPORT int posix_spawnp(pid_t* pid, const char* file,
                                const posix_spawn_file_actions_t* actions,
                                const posix_spawnattr_t* attributes, char* const argv[],
                                char* const environment[]) {
  char path[kPathCapacity];
  bool found = file != nullptr && iotrace::search_path(file, path, sizeof(path));
  return static_cast<int>(exec_announced({.path = found ? path : nullptr,
                                          .argv = argv,
                                          .environment = environment,
                                          .spawns = true,
                                          .moves_descriptors = actions != nullptr},
                                         [&](char** replaced) {
                                           return next::posix_spawnp(pid, file, actions, attributes,
                                                                     argv, replaced);
                                         }));
}

IOTRACE_EXPORT int sigaction(int number, const struct sigaction* action,
                             struct sigaction* old) noexcept {
  // `old` may be the same object.
  bool sets = action != nullptr;
  sighandler_t handler = sets ? action->sa_handler : nullptr;
  int flags = sets ? action->sa_flags : 0;
  int result = next::sigaction(number, action, old);
  if (result == 0 && sets) note_handler(number, handler, flags);
  return result;
}
extern "C" int __sigaction(int, const struct sigaction*, struct sigaction*) noexcept
    __attribute__((alias("sigaction"), visibility("default")));

IOTRACE_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
  note_handler(number, handler, SA_RESTART);
  return next::signal(number, handler);
}
IOTRACE_EXPORT_ALIAS(bsd_signal, signal);
IOTRACE_EXPORT_ALIAS(ssignal, signal);

IOTRACE_EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept {
  note_handler(number, handler, 0);
  return next::__sysv_signal(number, handler);
}
IOTRACE_EXPORT_ALIAS(sysv_signal, __sysv_signal);

// A limit on address space, or locked memory, must not hit the arena, most of which a process does
// not use: only what it does stays mapped.
IOTRACE_EXPORT int setrlimit(__rlimit_resource_t resource, const struct rlimit* limit) noexcept {
  if (resource == RLIMIT_AS) iotrace::narrow_window();
  return next::setrlimit(resource, limit);
}
extern "C" int setrlimit64(__rlimit_resource_t, const struct rlimit64*) noexcept
    __attribute__((alias("setrlimit"), visibility("default")));

IOTRACE_EXPORT int prlimit(pid_t pid, __rlimit_resource resource, const struct rlimit* limit,
                           struct rlimit* old) noexcept {
  if (resource == RLIMIT_AS && limit != nullptr) iotrace::narrow_window();
  return next::prlimit(pid, resource, limit, old);
}
extern "C" int prlimit64(pid_t, __rlimit_resource, const struct rlimit64*,
                         struct rlimit64*) noexcept
    __attribute__((alias("prlimit"), visibility("default")));

IOTRACE_EXPORT int mlockall(int flags) noexcept {
  iotrace::narrow_window();
  return next::mlockall(flags);
}

IOTRACE_EXPORT int mprotect(void* start, size_t size, int protection) noexcept {
  if (!(protection & PROT_READ)) iotrace::distrust_memory(start, size);
  return next::mprotect(start, size, protection);
}

IOTRACE_EXPORT int munmap(void* start, size_t size) noexcept {
  iotrace::distrust_memory(start, size);
  return next::munmap(start, size);
}

IOTRACE_EXPORT int prctl(int option, ...) noexcept {
  va_list arguments;
  va_start(arguments, option);
  unsigned long a = va_arg(arguments, unsigned long);
  unsigned long b = va_arg(arguments, unsigned long);
  unsigned long c = va_arg(arguments, unsigned long);
  unsigned long d = va_arg(arguments, unsigned long);
  va_end(arguments);
  iotrace::note_prctl(option);
  return next::prctl(option, a, b, c, d);
}
