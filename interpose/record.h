// The hot path: counting one output call. Any context that may write: any thread, signal handlers,
// the children of fork and vfork. No lock, no allocation by libc, errno untouched.
//
// A call is counted before it is made and its bytes after it has returned, so that one that never
// returns (the thread is cancelled, the process dies of SIGPIPE in it) is counted all the same.
// What runs every time is inline and fits on a screen; everything else is in record.cc.
#pragma once

#include <errno.h>

#include "interpose/arch.h"
#include "interpose/process.h"
#include "interpose/readable.h"
#include "interpose/thread.h"

#define IOTRACE_LIKELY(condition) __builtin_expect(!!(condition), 1)

namespace iotrace {

// What the caller handed over, for the counters that depend on it. Filled after the call has
// returned.
struct Transfer {
  uint64_t requested;     // bytes
  const char* last_byte;  // of those that were taken
  bool has_last_byte;     // false: they were not in the caller's memory
};

// What begin_rarely decided: the counters, which may be others than before, and for how many calls
// the time of this one stands; 0 if it is not timed.
struct RareBeginning {
  CounterBlock* block;
  uint64_t weight;
};

CounterBlock* block_of_slowly(int fd);
CounterBlock* remember_block(int fd, unsigned record_plus_one, CounterBlock* block);
RareBeginning begin_rarely(CounterBlock* block, int fd);
void finish_timed(CounterBlock& block, uint64_t weight, uint64_t start_ticks, uint64_t end_ticks);
void finish_waited(CounterBlock& block);
void finish_succeeded(CounterBlock& block, Call name, uint64_t bytes, const Transfer& transfer);
void finish_failed(CounterBlock& block, Call name, int error, uint64_t requested);

// The calling thread's counters for `fd`; nullptr when there is no room for them, which is counted
// as overflow.
inline CounterBlock* block_of(int fd) {
  const ThreadState& thread = iotrace_thread;
  if (IOTRACE_LIKELY(static_cast<unsigned>(fd) < static_cast<unsigned>(kDescriptorTableSize))) {
    // The block is read before what it belongs to: a signal handler in between that writes
    // elsewhere leaves a descriptor or record that does not match.
    CounterBlock* block = thread.last_block;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    // 0, for which no thread has counters, where the number must be looked up: also in the child of
    // a fork, whose table the kernel has wiped.
    unsigned record_plus_one = __atomic_load_n(&process.records[fd], __ATOMIC_RELAXED);
    if (IOTRACE_LIKELY(thread.last_fd == static_cast<unsigned>(fd) &&
                       thread.last_record_plus_one == record_plus_one)) {
      if (block == nullptr) __builtin_unreachable();
      return block;
    }
    if (Ref ref = thread.blocks[record_plus_one]) {
      return remember_block(fd, record_plus_one, at<CounterBlock>(process.base, ref));
    }
  }
  return block_of_slowly(fd);
}

// The counters of a successful call of a size as seen before, all of which was taken.
inline void add_usual(CounterBlock& block, uint64_t bytes, bool newline) {
  signal_safe_add(block.bytes, bytes);
  signal_safe_add(block.sizes[size_bucket(bytes)][newline], 1);
}

inline bool is_usual(const CounterBlock& block, uint64_t bytes) {
  return bytes - block.usual_from <= block.usual_span;
}

}  // namespace iotrace
