// Sums of counter blocks: of one descriptor record, of an image, of a stream. Launcher only, plain
// data.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "interpose/shared/arena.h"

namespace iotrace {

struct Tally {
  uint64_t calls[kCallCount] = {};
  uint64_t bytes = 0;
  uint64_t bytes_not_taken = 0;
  uint64_t short_writes = 0;
  uint64_t newline_terminated = 0;
  uint64_t sizes[kSizeBuckets] = {};
  uint64_t min_bytes_plus_one = 0;  // 0: no successful call
  uint64_t max_bytes = 0;
  uint64_t by_buffering[kBufferingCount] = {};  // `none` is derived: the rest of the calls
  uint64_t flush_causes[kFlushCauseCount] = {};
  uint64_t stdio_calls = 0;
  uint64_t fflush_calls = 0;
  uint64_t fflush_empty_calls = 0;
  std::map<std::pair<Call, int>, uint64_t> errors;  // by call and errno, or kNothingCopied
  // Time. The estimate of each block is extended to the calls that it does not cover before it is
  // added here.
  double time_ns = 0;
  bool time_known = true;  // false: there were calls of which none was timed
  uint64_t timed_calls = 0;
  uint64_t max_ns = 0;
  uint64_t times[kTimeBuckets] = {};

  void add(const Tally& other);

  uint64_t all_calls() const;
  uint64_t succeeded_calls() const;
  uint64_t failed_calls() const;
  uint64_t unfinished_calls() const { return all_calls() - succeeded_calls() - failed_calls(); }
};

// How many of the calls the kernel's count (`syscw`) contains at least and at most. Between the two
// lie calls that never returned, and failures of which it depends on circumstances whether the
// kernel counted them.
struct KernelBounds {
  uint64_t certainly = 0;
  uint64_t possibly = 0;
  // Of the difference: calls that never returned. The kernel counts them unless they were cancelled
  // at their entry.
  uint64_t unfinished = 0;
};
KernelBounds kernel_bounds(const Tally& tally);

}  // namespace iotrace
