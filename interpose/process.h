// What the library knows in one process: where the arena is mapped, which image this is, and the
// tables by descriptor number. Private memory, so that fork copies it and nobody else can disturb
// it. Any thread, signal handlers included; interpose/attach.cc sets it up before the first use.
#pragma once

#include <stdint.h>

#include "interpose/shared/arena.h"
#include "interpose/thread.h"

namespace iotrace {

// Descriptors from here on are looked up by fstat at every call.
inline constexpr int kDescriptorTableSize = 1 << 16;

inline constexpr uint32_t no_generation_yet = 0;
__attribute__((visibility(
    "hidden"))) extern uint16_t no_records[kDescriptorTableSize];  // all 0, never written

__attribute__((visibility("hidden"))) extern Origin descriptor_origins[kDescriptorTableSize];

struct Process {
  ArenaHeader* header = nullptr;  // nullptr: no arena, step aside
  char* base = nullptr;           // what a Ref of this image is relative to
  ImageRecord* image = nullptr;   // nullptr: no room was found for it
  uint32_t slot = 0;
  uint32_t last_generation = 0;
  // The generation of this process's state, wiped by the kernel at fork: in a child it is 0, which
  // no thread's generation equals, as it is before the library is ready.
  const volatile uint32_t* generation = &no_generation_yet;
  int pid = 0;
  bool exiting = false;  // our destructor has run: what stdio writes now is the flush at exit
  Timing timing = Timing::off;
  uint64_t ns_per_tick_q32 = 0;
  uint64_t clock_ticks = 0;  // what two looks at the clock take
  Ref announcements = 0;     // head of the list of announcement blocks
  int table_end = 0;         // one more than the largest descriptor in the tables
  // By descriptor: index of its record plus one, 0: look it up. Wiped at fork as well.
  uint16_t* records = no_records;
  Origin* origins = descriptor_origins;
};

__attribute__((visibility("hidden"))) extern Process process;

inline bool have_arena() { return process.header != nullptr; }

inline uint64_t add_atomically(uint64_t& word, uint64_t amount) {
  return __atomic_fetch_add(&word, amount, __ATOMIC_RELAXED);
}

}  // namespace iotrace
