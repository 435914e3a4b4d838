// System calls without libc: for code that shares memory with the launcher but is not one of its
// threads, and must therefore not touch the launcher's errno. Returns what the kernel returns: a
// negative errno on failure.
#pragma once

#if defined(__x86_64__)
#include "raw_syscall_x86_64.h"
#else
#error "raw_syscall: add a file for this processor"
#endif
