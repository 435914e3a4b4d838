// x86-64 part of arch.h. Any context: nothing here touches errno, TLS or memory that it was not
// given.
#pragma once

#include <stdint.h>

#include "interpose/shared/arena.h"

namespace iotrace {

// Returns what the kernel returns: a negative errno on failure.
inline long raw_syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                        long f = 0) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

inline uint64_t read_ticks() {
  uint32_t low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return uint64_t{high} << 32 | low;
}

// One instruction, hence never torn by a signal handler of the same thread, which may add to the
// same counter; no lock prefix, because other threads only read it (a locked add costs 6 ns more).
inline void signal_safe_add(Counter& counter, uint64_t amount) {
  __asm__ volatile("addq %1, %0" : "+m"(counter.value) : "er"(amount));
}

inline void signal_safe_add(int64_t& word, int64_t amount) {
  __asm__ volatile("addq %1, %0" : "+m"(word) : "er"(amount));
}

// Takes one off and tells whether the result is negative; one instruction likewise.
inline bool signal_safe_decrement(int64_t& word) {
  bool negative;
  __asm__ volatile("subq $1, %0" : "+m"(word), "=@ccs"(negative));
  return negative;
}

// Replaces *word by `desired` if it is still `expected`; atomic against signal handlers of the same
// thread only.
inline bool signal_safe_replace(uint64_t& word, uint64_t expected, uint64_t desired) {
  bool replaced;
  __asm__ volatile("cmpxchgq %3, %0"
                   : "+m"(word), "=@cce"(replaced), "+a"(expected)
                   : "r"(desired)
                   : "memory");
  return replaced;
}

}  // namespace iotrace
