// How fast the time stamp counter runs, for the library, which times calls with it. Launcher only.
#pragma once

#include <cstdint>

namespace iotrace {

// Remembers the counter and the clock now; call it early.
void start_measuring_ticks();

// Nanoseconds per tick, times 2^32, measured since start_measuring_ticks (waits until that is long
// enough to be exact to about one in a thousand); 0 where the counter is no clock.
uint64_t measured_ns_per_tick_q32();

}  // namespace iotrace
