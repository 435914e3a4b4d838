// The cold half of record.h: first calls, timed calls, failures. Same contexts.

#include "interpose/record.h"

#include "interpose/attach.h"
#include "interpose/clock.h"
#include "interpose/descriptors.h"
#include "interpose/lanes.h"
#include "interpose/memory.h"
#include "interpose/records.h"

namespace iotrace {
namespace {

// Targets at which writes do not wait are sampled at random distances, since a fixed one aliases
// with programs that alternate two kinds of call. (The others are timed at every call: lanes.cc.)
constexpr uint32_t kMinInterval = 64;
constexpr uint32_t kIntervalSpread = 128;  // a power of two; the mean distance is 127.5
constexpr uint32_t kIntervalWithoutTiming = 64;
constexpr uint64_t kBlockedNs = 20'000;       // a call that took so long has waited
constexpr uint32_t kTimedAfterBlocking = 64;  // calls timed one by one after such a one
// A sampled call that took so many times the mean was preempted or blocked: it stands for itself
// alone.
constexpr uint64_t kOutlierFactor = 16;
// How often fstat confirms that a number still refers to its target, in case something changed it
// where no wrapper stands: after 64 calls, then after twice as many each time up to this.
constexpr uint32_t kMaxCheckInterval = 1024;

DescriptorRecord* record_of(const CounterBlock& block) {
  return in_image<DescriptorRecord>(block.record);
}

uint32_t next_interval(CounterBlock& block) {
  if (process.timing == Timing::off) return kIntervalWithoutTiming;
  if (block.always_timed_left > 0) {
    --block.always_timed_left;
    return 1;
  }
  uint64_t& state = iotrace_thread.lane->random;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return kMinInterval + static_cast<uint32_t>(state >> 32) % kIntervalSpread;
}

// Raises the countdown so that the call after `interval` more is the next rare one.
void grant(CounterBlock& block, uint32_t interval) {
  int64_t amount = static_cast<int64_t>(interval) - 1 - block.countdown;
  signal_safe_add(block.granted, static_cast<uint64_t>(amount));
  signal_safe_add(block.countdown, amount);
  block.interval = interval;
}

CounterBlock* note_overflow() {
  if (have_arena()) {
    add_atomically(
        process.image != nullptr ? process.image->overflow_calls : process.header->overflow_calls,
        1);
  }
  return nullptr;
}

ErrorCount* find_error(CounterBlock& block, uint32_t key) {
  for (Ref* link = &block.errors;;) {
    ErrorBlock* errors = get_or_allocate<ErrorBlock>(link);
    if (errors == nullptr) return nullptr;
    for (ErrorCount& entry : errors->entries) {
      uint32_t expected = 0;
      if (__atomic_load_n(&entry.key, __ATOMIC_RELAXED) == key ||
          __atomic_compare_exchange_n(&entry.key, &expected, key, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED) ||
          expected == key) {
        return &entry;
      }
    }
    link = &errors->next;
  }
}

void add_error(CounterBlock& block, Call name, int error) {
  ErrorCount* count = find_error(block, error_key(name, error));
  if (count == nullptr) {
    note_overflow();
  } else {
    signal_safe_add(count->calls, 1);
  }
}

void note_extreme(CounterBlock& block, uint64_t bytes) {
  for (uint64_t min = block.min_bytes_plus_one; min == 0 || bytes + 1 < min;
       min = block.min_bytes_plus_one) {
    if (signal_safe_replace(block.min_bytes_plus_one, min, bytes + 1)) break;
  }
  for (uint64_t max = block.max_bytes; bytes > max; max = block.max_bytes) {
    if (signal_safe_replace(block.max_bytes, max, bytes)) break;
  }
  // The usual sizes: never none, and only such as size_bucket can take. While they change they are
  // one size only, so that a signal handler in between takes none for usual that is not.
  constexpr uint64_t kLargestUsual = uint64_t{1} << 32;
  uint64_t from = block.min_bytes_plus_one > 2 ? block.min_bytes_plus_one - 1 : 1;
  uint64_t to = block.max_bytes < kLargestUsual ? block.max_bytes : kLargestUsual;
  block.usual_span = 0;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  block.usual_from = from;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  block.usual_span = to > from ? to - from : 0;
}

}  // namespace

CounterBlock* block_of_slowly(int fd) {
  Lane* lane = current_lane();
  if (lane == nullptr) return note_overflow();
  unsigned index = look_up(fd);
  CounterBlock* block = block_in_lane(lane, index);
  if (block == nullptr) return note_overflow();
  return block;
}

CounterBlock* remember_block(int fd, unsigned record_plus_one, CounterBlock* block) {
  ThreadState& thread = iotrace_thread;
  // A signal handler in between leaves an entry that is its own, or one that does not match.
  thread.last_fd = kNoDescriptor;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  thread.last_record_plus_one = record_plus_one;
  thread.last_block = block;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  thread.last_fd = static_cast<unsigned>(fd);
  return block;
}

RareBeginning begin_rarely(CounterBlock* block, int fd) {
  block->until_check -= static_cast<int32_t>(block->interval);
  if (block->until_check <= 0) {
    if (block->check_interval < kMaxCheckInterval) block->check_interval *= 2;
    block->until_check = static_cast<int32_t>(block->check_interval);
    if (!iotrace_thread.in_vfork_child && !target_unchanged(fd, *record_of(*block))) {
      signal_safe_add(block->countdown, 1);  // the call belongs to other counters
      forget(fd);
      block = block_of_slowly(fd);
      if (block == nullptr) return {nullptr, 0};
      signal_safe_decrement(block->countdown);
    }
  }
  if (is_always_timed(*block)) return {block, 1};
  uint64_t weight = block->interval;
  grant(*block, next_interval(*block));
  return {block, process.timing == Timing::off ? 0 : weight};
}

void finish_timed(CounterBlock& block, uint64_t start_ticks, uint64_t weight) {
  uint64_t ns = ticks_to_ns(now_ticks() - start_ticks);
  signal_safe_add(block.times[bucket_of(ns, kTimeBuckets)], 1);
  for (uint64_t max = block.max_ns; ns > max; max = block.max_ns) {
    if (signal_safe_replace(block.max_ns, max, ns)) break;
  }
  if (block.always_timed) {
    signal_safe_add(block.estimated_ns, ns);
    return;
  }
  uint64_t stands_for = ns * weight;
  if (weight > 1 && ns > kBlockedNs / 2) {
    uint64_t mean =
        block.estimated_ns.load() / (block.covered_besides.load() + kTimedAfterBlocking);
    if (ns > kOutlierFactor * mean) stands_for = ns + mean * (weight - 1);
  }
  signal_safe_add(block.estimated_ns, stands_for);
  signal_safe_add(block.covered_besides, weight - 1);
  if (ns > kBlockedNs) block.always_timed_left = kTimedAfterBlocking;
}

void finish_succeeded(CounterBlock& block, Call name, uint64_t bytes, const Transfer& transfer) {
  bool newline = false;
  if (bytes != 0 && transfer.has_last_byte) {
    newline = block.buffer_unread ? is_newline_carefully(transfer.last_byte)
                                  : *transfer.last_byte == '\n';
  }
  signal_safe_add(block.bytes, bytes);
  signal_safe_add(block.sizes[bucket_of(bytes, kSizeBuckets)][newline], 1);
  note_extreme(block, bytes);
  if (transfer.requested > bytes) {
    signal_safe_add(block.bytes_not_taken, transfer.requested - bytes);
    signal_safe_add(block.short_writes, 1);
  }
  if (name == Call::copy_file_range && bytes == 0) add_error(block, name, kNothingCopied);
}

void finish_failed(CounterBlock& block, Call name, int error, uint64_t requested) {
  signal_safe_add(block.bytes_not_taken, requested);
  add_error(block, name, error);
}

}  // namespace iotrace
