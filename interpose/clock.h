// Time for the timed calls: the processor's time stamp counter where it can serve as a clock, else
// the kernel's. Any context.
#pragma once

#include <time.h>

#include "interpose/arch.h"
#include "interpose/process.h"

namespace iotrace {

inline uint64_t monotonic_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

inline uint64_t now_ticks() { return process.ns_per_tick_q32 != 0 ? read_ticks() : monotonic_ns(); }

inline uint64_t ticks_to_ns(uint64_t ticks) {
  if (process.ns_per_tick_q32 == 0) return ticks;
  return static_cast<uint64_t>((static_cast<unsigned __int128>(ticks) * process.ns_per_tick_q32) >>
                               32);
}

// The least that is seen between two looks at the clock.
inline uint64_t measure_clock() {
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 8; ++i) {
    uint64_t start = now_ticks();
    uint64_t ticks = now_ticks() - start;
    if (ticks < least) least = ticks;
  }
  return least;
}

}  // namespace iotrace
