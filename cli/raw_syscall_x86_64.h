// The x86-64 half of raw_syscall.h; include that one. Registers as in the "syscall" row of
// syscall(2).
#pragma once

namespace iotrace {

inline long raw_syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0) {
  long result;
  register long r10 __asm__("r10") = d;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
                   : "rcx", "r11", "memory");
  return result;
}

}  // namespace iotrace
