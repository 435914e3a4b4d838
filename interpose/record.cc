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

// Timed calls come at random distances, since a fixed one aliases with programs that alternate two
// kinds of call. Powers of two; the means are 127.5 and 31.5.
constexpr uint32_t kMinInterval = 64;
constexpr uint32_t kIntervalSpread = 128;
constexpr uint32_t kMinStampInterval = 16;
constexpr uint32_t kStampIntervalSpread = 32;
constexpr uint32_t kIntervalWithoutTiming = 64;
// A watched call that waited is timed from the last look at the clock, which is good enough as long
// as calls come thick and fast. Where they do not, there is time to look at it at every call.
constexpr uint64_t kThickAndFastNs = 2'000;
constexpr uint64_t kWaitedNs = 20'000;       // a sampled call that took so long has waited
constexpr uint32_t kTimedAfterWaiting = 64;  // calls timed one by one after such a one
constexpr uint64_t kOutlierFactor = 16;
constexpr unsigned kUsualShift = 3;  // the running mean moves by an eighth
// How often fstat confirms that a number still refers to its target, in case something changed it
// where no wrapper stands: after 64 calls, then after twice as many each time up to this.
constexpr uint32_t kMaxCheckInterval = 1024;

DescriptorRecord* record_of(const CounterBlock& block) {
  return in_image<DescriptorRecord>(block.record);
}

uint32_t random_interval(uint32_t least, uint32_t spread) {
  uint64_t& state = iotrace_thread.lane->random;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return least + static_cast<uint32_t>(state >> 32) % spread;
}

uint32_t next_interval(CounterBlock& block) {
  if (block.always_timed_left > 0) {
    --block.always_timed_left;
    return 1;
  }
  return random_interval(kMinInterval, kIntervalSpread);
}

uint32_t next_stamp_interval(CounterBlock& block, uint64_t now) {
  if (block.always_timed_left > 0) {
    --block.always_timed_left;
    return 1;
  }
  uint64_t since_last_stamp = ticks_to_ns(now - block.last_stamp);
  if (since_last_stamp > block.interval * kThickAndFastNs) return 1;
  return random_interval(kMinStampInterval, kStampIntervalSpread);
}

void note_time(CounterBlock& block, uint64_t ns) {
  signal_safe_add(block.times[bucket_of(ns, kTimeBuckets)], 1);
  for (uint64_t max = block.max_ns; ns > max; max = block.max_ns) {
    if (signal_safe_replace(block.max_ns, max, ns)) break;
  }
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
  uint64_t weight = block->interval;
  if (process.timing == Timing::off) {
    block->timing_mode = TimingMode::sampled;  // also where it was switched off in the middle
    grant(*block, kIntervalWithoutTiming);
    return {block, 0};
  }
  switch (block->timing_mode) {
    case TimingMode::every_call:
      return {block, 1};
    case TimingMode::watched:
      block->interval = next_stamp_interval(*block, now_ticks());
      block->until_stamp = static_cast<int32_t>(block->interval);
      block->stamped_at = block->until_stamp;
      break;
    case TimingMode::sampled:
      grant(*block, next_interval(*block));
      break;
  }
  return {block, weight};
}

void finish_timed(CounterBlock& block, uint64_t weight, uint64_t start_ticks, uint64_t end_ticks) {
  uint64_t ticks = end_ticks - start_ticks;
  // What the two looks at the clock take themselves is no part of the call.
  ticks -= ticks < process.clock_ticks ? ticks : process.clock_ticks;
  uint64_t ns = ticks_to_ns(ticks);
  note_time(block, ns);
  block.last_stamp = end_ticks;
  uint64_t stands_for = ns * weight;
  bool waited = block.usual_ns != 0 && ns > kWaitedNs / 2 && ns > kOutlierFactor * block.usual_ns;
  if (waited) {
    stands_for = ns + block.usual_ns * (weight - 1);
  } else if (block.usual_ns == 0) {
    block.usual_ns = ns;
  } else {
    int64_t difference = static_cast<int64_t>(ns) - static_cast<int64_t>(block.usual_ns);
    block.usual_ns += static_cast<uint64_t>(difference >> kUsualShift);
  }
  signal_safe_add(block.estimated_ns, stands_for);
  signal_safe_add(block.covered_besides, weight - 1);
  if (ns > kWaitedNs && block.timing_mode == TimingMode::sampled) {
    block.always_timed_left = kTimedAfterWaiting;
  }
}

void finish_waited(CounterBlock& block) {
  uint64_t now = now_ticks();
  uint64_t ns = ticks_to_ns(now - block.last_stamp);
  int32_t calls_before = block.stamped_at - block.until_stamp - 1;
  uint64_t before = calls_before > 0 ? static_cast<uint64_t>(calls_before) * block.usual_ns : 0;
  ns -= ns < before ? ns : before;
  note_time(block, ns);
  block.last_stamp = now;
  block.stamped_at = block.until_stamp;
  signal_safe_add(block.estimated_ns, ns);
}

void finish_succeeded(CounterBlock& block, Call name, uint64_t bytes, const Transfer& transfer) {
  bool newline = bytes != 0 && transfer.has_last_byte && is_newline_carefully(transfer.last_byte);
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
