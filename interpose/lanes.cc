#include "interpose/lanes.h"

#include "interpose/attach.h"
#include "interpose/image.h"
#include "interpose/memory.h"
#include "interpose/raw.h"
#include "interpose/records.h"
#include "interpose/schedule_mark.h"

namespace iotrace {
namespace {

// Nothing is released when a thread ends, because destructors of other libraries write after ours
// would have run. So a new thread looks for a lane whose thread is gone. A few probes each, from
// where the last search stopped: the number of lanes stays near that of the threads that live at
// once, and starting a thread costs the same however many there are.
constexpr int kTakeoverProbes = 8;

constexpr uint32_t kFirstCheckInterval = 64;
constexpr uint32_t kTimedAtFirst =
    64;  // so that what a short program did is measured, not estimated

TimingMode timing_mode_for(TargetKind kind) {
  if (process.timing == Timing::all) return TimingMode::every_call;
  bool may_wait = kind == TargetKind::pipe || kind == TargetKind::tty || kind == TargetKind::socket;
  if (!may_wait || process.timing == Timing::off) return TimingMode::sampled;
  return iotrace_thread.schedule_mark != nullptr ? TimingMode::watched : TimingMode::every_call;
}

BytesRead bytes_read_by(TargetKind kind) {
  switch (kind) {
    case TargetKind::file:
    case TargetKind::memfd:
      return BytesRead::still_there;
    case TargetKind::pipe:
    case TargetKind::socket:
    case TargetKind::tty:
      return BytesRead::perhaps_gone;
    default:
      return BytesRead::unknown;
  }
}

Lane* take_over_lane(ImageRecord* image, int tid) {
  Ref head = __atomic_load_n(&image->lanes, __ATOMIC_ACQUIRE);
  if (head == 0) return nullptr;
  Ref ref = __atomic_load_n(&image->takeover_cursor, __ATOMIC_RELAXED);
  for (int probe = 0; probe < kTakeoverProbes; ++probe) {
    if (ref == 0) ref = head;
    Lane* lane = in_image<Lane>(ref);
    ref = lane->next;
    int owner = __atomic_load_n(&lane->tid, __ATOMIC_RELAXED);
    // An owner with our own number is a dead one too: numbers are unique among the living.
    if (owner != tid && raw::thread_exists(process.pid, owner)) continue;
    if (__atomic_compare_exchange_n(&lane->tid, &owner, tid, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED)) {
      __atomic_store_n(&image->takeover_cursor, ref, __ATOMIC_RELAXED);
      return lane;
    }
  }
  __atomic_store_n(&image->takeover_cursor, ref, __ATOMIC_RELAXED);
  return nullptr;
}

Lane* new_lane(ImageRecord* image, int tid) {
  Ref ref = allocate(sizeof(Lane));
  if (ref == 0) return nullptr;
  Lane* lane = in_image<Lane>(ref);
  lane->tid = tid;
  // No clock: the program may have forbidden it.
  lane->random = (static_cast<uint64_t>(tid) << 32 | ref) * 0x9e3779b97f4a7c15u | 1;
  lane->next = __atomic_load_n(&image->lanes, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&image->lanes, &lane->next, ref, false, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED)) {
  }
  return lane;
}

}  // namespace

Lane* current_lane() {
  initialise_once();
  if (!have_arena()) return nullptr;
  if (*process.generation == 0) attach_forked_child();
  if (process.image == nullptr) return nullptr;
  ThreadState& thread = iotrace_thread;
  // The child of a vfork uses its parent's lane, whose owner is suspended meanwhile, or one that it
  // has acquired itself, which nobody owns once it has ended.
  if (thread.generation == *process.generation || (thread.in_vfork_child & kVforkLane)) {
    return thread.lane;
  }
  bool frozen = image_has(kImageFrozen);
  int tid = frozen ? 0 : raw::gettid();
  Lane* lane = frozen ? nullptr : take_over_lane(process.image, tid);
  if (lane == nullptr) lane = new_lane(process.image, tid);
  if (lane == nullptr) return nullptr;
  thread.lane = lane;
  if (thread.in_vfork_child) {
    thread.in_vfork_child |= kVforkLane;
    return lane;
  }
  __atomic_fetch_add(&process.image->threads, 1u, __ATOMIC_RELAXED);
  thread.generation = *process.generation;
  thread.schedule_mark = find_schedule_mark();
  thread.blocks = lane->blocks;
  return lane;
}

CounterBlock* block_in_lane(Lane* lane, unsigned record) {
  Ref* slot = &lane->blocks[record + 1];
  if (Ref ref = __atomic_load_n(slot, __ATOMIC_ACQUIRE)) return in_image<CounterBlock>(ref);
  DescriptorRecord* descriptor = record_at(record);
  Ref fresh = allocate(sizeof(CounterBlock));
  if (fresh == 0 || descriptor == nullptr) return nullptr;
  CounterBlock* block = in_image<CounterBlock>(fresh);
  block->record = ref_in_image(descriptor);
  block->owner_slot = process.slot;
  block->interval = 1;
  block->check_interval = kFirstCheckInterval;
  block->until_check = static_cast<int32_t>(kFirstCheckInterval);
  block->always_timed_left = kTimedAtFirst;
  block->timing_mode = timing_mode_for(descriptor->kind);
  block->bytes_read = bytes_read_by(descriptor->kind);
  Ref expected = 0;
  if (!__atomic_compare_exchange_n(slot, &expected, fresh, false, __ATOMIC_RELEASE,
                                   __ATOMIC_ACQUIRE)) {
    return in_image<CounterBlock>(expected);
  }
  return block;
}

}  // namespace iotrace
