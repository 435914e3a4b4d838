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

struct Process {
  ArenaHeader* header = nullptr;  // nullptr: no arena, step aside
  char* base = nullptr;           // what a Ref of this image is relative to
  ImageRecord* image = nullptr;   // nullptr: no room was found for it
  uint32_t slot = 0;
  uint32_t last_generation = 0;
  // One word on a page that the kernel wipes at fork: the generation of this process's state. In a
  // child it is 0, which no thread's generation equals. Before the library is ready it points to a
  // 0 as well.
  const volatile uint32_t* generation = &no_generation_yet;
  int pid = 0;
  bool exiting = false;  // our destructor has run: what stdio writes now is the flush at exit
  Timing timing = Timing::off;
  uint64_t ns_per_tick_q32 = 0;
  Ref announcements = 0;  // head of the list of announcement blocks
  int table_end = 0;      // one more than the largest descriptor in the tables
  uint16_t records[kDescriptorTableSize] = {};  // index plus one; 0: look it up
  Origin origins[kDescriptorTableSize] = {};
};

extern Process process;

inline bool have_arena() { return process.header != nullptr; }

inline uint64_t add_atomically(uint64_t& word, uint64_t amount) {
  return __atomic_fetch_add(&word, amount, __ATOMIC_RELAXED);
}

}  // namespace iotrace
