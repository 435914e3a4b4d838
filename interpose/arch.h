// What depends on the processor, behind one header: raw system calls, the time stamp counter, the
// add that a signal handler cannot tear. Any context. One file per processor; vfork and syscall are
// in assembly (calls_<processor>.S).
#pragma once

#if defined(__x86_64__)
#include "interpose/arch_x86_64.h"
#else
#error "no interpose/arch_<processor>.h for this processor yet"
#endif
