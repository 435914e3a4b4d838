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

struct ThreadState {
  uint32_t generation =
      kNoGeneration;  // of the process state that `lane` belongs to; kNoGeneration: no lane yet
  uint32_t in_vfork_child = 0;  // set and reset by vfork in calls_<processor>.S
  Lane* lane = nullptr;
  FlushMark mark;
};

// The offsets that calls_<processor>.S uses.
static_assert(offsetof(ThreadState, generation) == 0);
static_assert(offsetof(ThreadState, in_vfork_child) == 4);

}  // namespace iotrace

extern "C" __attribute__((
    visibility("hidden"),
    tls_model("initial-exec"))) constinit thread_local iotrace::ThreadState iotrace_thread;
