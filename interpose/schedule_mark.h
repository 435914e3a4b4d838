// Was the thread taken off its processor during a call? Any thread.
//
// A write that waits for its reader must be timed, and nobody knows beforehand which one will wait,
// but two looks at the clock cost a tenth of a write to a pipe. The kernel tells for nothing: when
// a thread returns to a place outside its restartable sequence after having been off the processor,
// the kernel takes the pointer to the sequence away. So we set a pointer to one that is never run,
// make the call, and look whether it is still there.
//
// Source: rseq(2); kernel/rseq.c (rseq_ip_fixup, clear_rseq_cs). glibc registers the area of each
// thread from 2.35 on; where it has not, there is no mark, and every call is timed.
#pragma once

#include <stdint.h>

extern "C" __attribute__((visibility("hidden"))) const char iotrace_schedule_descriptor[];

namespace iotrace {

// The word that the kernel clears for the calling thread; nullptr where it does not.
volatile uint64_t* find_schedule_mark();

class ScheduleWatch {
 public:
  explicit ScheduleWatch(volatile uint64_t* mark) : mark_(mark) {
    *mark_ = reinterpret_cast<uintptr_t>(iotrace_schedule_descriptor);
  }

  // Ends the watch.
  bool was_off_processor() {
    bool taken_away = *mark_ == 0;
    *mark_ = 0;
    return taken_away;
  }

 private:
  volatile uint64_t* mark_;
};

}  // namespace iotrace
