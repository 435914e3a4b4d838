// What this program was given by whoever executed it: the arena's name in the environment, the slot
// in which it was announced. Constructor only.
#pragma once

#include "interpose/shared/arena.h"

namespace iotrace {

struct InheritedNames {
  char arena_path[kPathCapacity];
  uint64_t nonce;
  uint32_t slot;
};

// The environment block that the kernel made, or what the program made of it before us.
char** initial_environment();

// Reads our variables; false when they are not there or make no sense. Fills arena_names.
bool read_inherited_names(char** environment, InheritedNames* names);

struct Inheritance {
  uint32_t slot_plus_one;         // this image's; 0: the arena has no slot left
  uint32_t parent_plus_one;       // image that forked or spawned this process
  uint32_t predecessor_plus_one;  // image that this one replaced
};

// Answers the announcement in names.slot if it was meant for this program, and takes over the
// origins in it; otherwise takes a slot of its own below it.
Inheritance inherit(ArenaHeader* header, const InheritedNames& names, int pid);

}  // namespace iotrace
