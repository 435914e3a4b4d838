// A thread's own state: a few bytes of initial-exec thread-local storage, of trivial type, because
// the default model may allocate and that must not happen in a signal handler. Any thread.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "interpose/shared/arena.h"

namespace iotrace {

// Why stdio will write next: set by a wrapper around fflush or fclose for the time of that call. It
// is valid only in calls made from the wrapper's frame, that is, deeper on the stack: a cancelled
// thread, a longjmp or an exception leaves without resetting it.
struct FlushMark {
  FlushCause cause = FlushCause::other;
  bool without_file = false;    // the FILE is dprintf's own and no stream of the program
  const void* frame = nullptr;  // nullptr: no mark
};

inline constexpr uint32_t kNoGeneration = UINT32_MAX;

}  // namespace iotrace

// All zero and never written: what a thread that has no lane yet uses in place of Lane::blocks, and
// every child of a vfork, so that their calls take the slow path.
extern "C" __attribute__((visibility("hidden")))
const iotrace::Ref iotrace_no_blocks[iotrace::kMaxRecords + 1];

namespace iotrace {

inline constexpr uint32_t kNoDescriptor = UINT32_MAX;

// Bits of in_vfork_child. The assembly sets the first for the child and takes all back for the
// parent.
inline constexpr uint32_t kInVforkChild = 1;
inline constexpr uint32_t kVforkOriginsCopied = 2;  // the lane's vfork_origins are valid
inline constexpr uint32_t kVforkLane = 4;           // `lane` was acquired by this child, for itself

struct ThreadState {
  // The counters that the thread used last. A program mostly writes to the descriptor that it wrote
  // to before, and what comes between entry and system call is paid in full: nothing overlaps with
  // it. This way no load depends on more than two others.
  uint32_t last_fd = kNoDescriptor;  // reset by vfork
  uint32_t last_record_plus_one = 0;
  CounterBlock* last_block = nullptr;
  const Ref* blocks = iotrace_no_blocks;  // the lane's; changed by vfork for its child
  uint32_t in_vfork_child = 0;            // set and reset by vfork in calls_<processor>.S
  uint32_t generation = kNoGeneration;    // of the process state that `lane` belongs to
  Lane* lane = nullptr;
  volatile uint64_t* schedule_mark = nullptr;  // see schedule_mark.h
  FlushMark mark;
};

// The offsets that calls_<processor>.S uses.
static_assert(offsetof(ThreadState, last_fd) == 0);
static_assert(offsetof(ThreadState, blocks) == 16);
static_assert(offsetof(ThreadState, in_vfork_child) == 24);

}  // namespace iotrace

extern "C" __attribute__((
    visibility("hidden"),
    tls_model("initial-exec"))) constinit thread_local iotrace::ThreadState iotrace_thread;
