// The hot path: counting one output call. Any context that may write: any thread, signal handlers,
// the children of fork and vfork. No lock, no allocation by libc, errno untouched.
//
// A wrapper calls begin() before the real call and finish() after it, so that a call that never
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

struct CallInProgress {
  CounterBlock* block;  // nullptr: there was no room; counted as overflow
  uint64_t start_ticks;
  uint32_t weight;      // calls that this one's time stands for; 0: not timed
  uint32_t generation;  // of the process at entry
};

// What the caller handed over, for the counters that depend on it. Filled after the call has
// returned.
struct Transfer {
  uint64_t requested;     // bytes
  const char* last_byte;  // of those that were taken; nullptr: not in the caller's memory
};

CounterBlock* block_of_slowly(int fd);
void begin_rarely(CallInProgress& call, int fd);
void finish_timed(const CallInProgress& call);
void finish_short(CounterBlock& block, uint64_t missing);
void finish_failed(const CallInProgress& call, Call name, int error, uint64_t requested);
void note_extreme(CounterBlock& block, uint64_t bytes);

// The calling thread's counters for `fd`.
inline CounterBlock* block_of(int fd) {
  const ThreadState& thread = iotrace_thread;
  if (IOTRACE_LIKELY(thread.generation == *process.generation &&
                     static_cast<unsigned>(fd) < static_cast<unsigned>(kDescriptorTableSize))) {
    uint32_t record_plus_one = __atomic_load_n(&process.records[fd], __ATOMIC_RELAXED);
    const BlockCacheEntry& entry =
        thread.lane->cache[static_cast<unsigned>(fd) % kBlockCacheEntries];
    if (IOTRACE_LIKELY(entry.fd_plus_one == static_cast<uint32_t>(fd) + 1 &&
                       entry.record_plus_one == record_plus_one && record_plus_one != 0)) {
      return at<CounterBlock>(process.base, entry.block);
    }
  }
  return block_of_slowly(fd);
}

inline CallInProgress begin(Call name, int fd) {
  CallInProgress call{block_of(fd), 0, 0, *process.generation};
  if (IOTRACE_LIKELY(call.block != nullptr)) {
    if (--call.block->countdown <= 0) begin_rarely(call, fd);
    signal_safe_add(call.block->calls[static_cast<unsigned>(name)], 1);
  }
  return call;
}

inline void finish_succeeded(CounterBlock& block, uint64_t bytes, const Transfer& transfer) {
  signal_safe_add(block.bytes, bytes);
  signal_safe_add(block.sizes[bucket_of(bytes, kSizeBuckets)], 1);
  if (!IOTRACE_LIKELY(bytes >= block.min_bytes_plus_one - 1 && bytes <= block.max_bytes)) {
    note_extreme(block, bytes);
  }
  if (!IOTRACE_LIKELY(transfer.requested == bytes)) finish_short(block, transfer.requested - bytes);
  if (bytes != 0 && transfer.last_byte != nullptr) {
    bool newline = block.buffer_unread ? is_newline_carefully(transfer.last_byte)
                                       : *transfer.last_byte == '\n';
    if (newline) signal_safe_add(block.newline_terminated, 1);
  }
}

// Whether the counters that begin() chose are still those of the calling process. They are not in a
// child that a signal handler forked inside the call: it returns from the call too, but its parent
// has counted it.
inline bool still_ours(const CallInProgress& call) {
  return IOTRACE_LIKELY(call.block != nullptr && call.generation == *process.generation);
}

}  // namespace iotrace
