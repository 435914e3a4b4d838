// syscall(2) by number: the calls that matter to us, made through the C library's syscall(). Any
// thread. The assembly in calls_<processor>.S has sent all other numbers straight on.

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/syscall.h>

#include <initializer_list>

#include "interpose/descriptors.h"
#include "interpose/exec_environment.h"
#include "interpose/image.h"
#include "interpose/shape.h"

extern "C" __attribute__((visibility("hidden"))) void* iotrace_next_syscall;

namespace iotrace {
namespace {

constexpr unsigned kWords = 512 / 32;

struct NumberSet {
  uint32_t words[kWords] = {};
  constexpr void add(unsigned number) { words[number / 32] |= 1u << number % 32; }
};

constexpr NumberSet interesting_numbers() {
  NumberSet set;
#define OUTPUT_CALL(name, in_syscw) set.add(SYS_##name);
#include "interpose/shared/calls.def"
#undef OUTPUT_CALL
  for (unsigned number : {SYS_close, SYS_dup, SYS_dup3, SYS_fcntl, SYS_close_range, SYS_execve,
                          SYS_execveat, SYS_seccomp, SYS_prctl}) {
    set.add(number);
  }
#ifdef SYS_dup2
  set.add(SYS_dup2);
#endif
  return set;
}

struct SixArguments {
  long at[6];
};

long next_syscall(long number, const SixArguments& a) {
  auto function =
      reinterpret_cast<long (*)(long, long, long, long, long, long, long)>(iotrace_next_syscall);
  return function(number, a.at[0], a.at[1], a.at[2], a.at[3], a.at[4], a.at[5]);
}

// What a call other than an output call, just made, did to the descriptors.
void note_effect(long number, const SixArguments& a, long result) {
  if (result < 0) return;
  int first = static_cast<int>(a.at[0]);
  switch (number) {
    case SYS_dup:
      note_new_target(static_cast<int>(result), origin_of(first));
      break;
#ifdef SYS_dup2
    case SYS_dup2:
      if (result != first) note_new_target(static_cast<int>(result), origin_of(first));
      break;
#endif
    case SYS_dup3:
      note_new_target(static_cast<int>(result), origin_of(first));
      break;
    case SYS_fcntl:
      if (a.at[1] == F_DUPFD || a.at[1] == F_DUPFD_CLOEXEC) {
        note_new_target(static_cast<int>(result), origin_of(first));
      }
      break;
    case SYS_close_range:
      if (!(a.at[2] & CLOSE_RANGE_CLOEXEC)) {
        forget_range(static_cast<unsigned>(a.at[0]), static_cast<unsigned>(a.at[1]));
      }
      break;
    default:
      break;
  }
}

long call_by_number(long number, const SixArguments& a) {
  char** argv = reinterpret_cast<char**>(a.at[number == SYS_execveat ? 2 : 1]);
  char** environment = reinterpret_cast<char**>(a.at[number == SYS_execveat ? 3 : 2]);
  switch (number) {
#define OUTPUT_CALL(name, in_syscw)                           \
  case SYS_##name:                                            \
    return counted<Call::name>({{a.at[0], a.at[1], a.at[2]}}, \
                               [&] { return next_syscall(number, a); });
#include "interpose/shared/calls.def"
#undef OUTPUT_CALL
    case SYS_close:
      forget(static_cast<int>(a.at[0]));
      break;
    case SYS_execve:
      return exec_announced({.path = reinterpret_cast<const char*>(a.at[0]),
                             .argv = argv,
                             .environment = environment},
                            [&](char** replaced) {
                              SixArguments b = a;
                              b.at[2] = reinterpret_cast<long>(replaced);
                              return next_syscall(number, b);
                            });
    case SYS_execveat:
      return exec_announced({.path = nullptr, .argv = argv, .environment = environment},
                            [&](char** replaced) {
                              SixArguments b = a;
                              b.at[3] = reinterpret_cast<long>(replaced);
                              return next_syscall(number, b);
                            });
    case SYS_seccomp:
      if (a.at[0] <= 1) freeze_image();
      break;
    case SYS_prctl:
      note_prctl(static_cast<int>(a.at[0]));
      break;
    default:
      break;
  }
  long result = next_syscall(number, a);
  note_effect(number, a, result);
  return result;
}

}  // namespace
}  // namespace iotrace

extern "C" {

__attribute__((visibility("hidden"))) extern const iotrace::NumberSet iotrace_interesting_syscalls;
constexpr iotrace::NumberSet iotrace_interesting_syscalls = iotrace::interesting_numbers();

__attribute__((visibility("hidden"))) long iotrace_syscall(long number, long a, long b, long c,
                                                           long d, long e, long f) {
  return iotrace::call_by_number(number, {{a, b, c, d, e, f}});
}
}
