#include <cpuid.h>
#include <time.h>
#include <x86intrin.h>

#include "cli/tick_rate.h"

namespace iotrace {
namespace {

// The clock is exact to about 50 ns on either side.
constexpr uint64_t kShortestMeasurementNs = 100'000;

uint64_t start_ticks, start_ns;

uint64_t monotonic_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

// It must run at one rate, whatever the processor's speed, and not stop in sleep states (Intel
// SDM 18.17).
bool counter_is_invariant() {
  unsigned a, b, c, d;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
}

}  // namespace

void start_measuring_ticks() {
  start_ns = monotonic_ns();
  start_ticks = __rdtsc();
}

uint64_t measured_ns_per_tick_q32() {
  if (!counter_is_invariant()) return 0;
  uint64_t ns, ticks;
  do {
    ns = monotonic_ns() - start_ns;
    ticks = __rdtsc() - start_ticks;
  } while (ns < kShortestMeasurementNs);
  return static_cast<uint64_t>((static_cast<unsigned __int128>(ns) << 32) / ticks);
}

}  // namespace iotrace
