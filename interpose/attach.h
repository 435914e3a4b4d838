// Setting the library up in a process: finding the arena, becoming an image in it, and becoming
// another one in the child of a fork. Runs in the constructor, in the first wrapper that is called
// before it, or in a forked child at its first call: any context in which a wrapper may run.
#pragma once

#include <stdint.h>

#include "interpose/shared/arena.h"

namespace iotrace {

// Does everything once: resolves the next definitions, attaches to the arena, hooks stdio. Cheap
// when done.
void initialise_once();

// Makes the calling process, the child of a fork, an image of its own.
void attach_forked_child();

// The same, for wrappers that have just forked: the child is an image even if it never writes.
void attach_in_forked_child();

// Another slot of the arena; its number plus one, or 0 when there is none.
uint32_t take_slot(ArenaHeader* header);

// Paths of the run's arena file and of the library beside it, as environment variables name them;
// "" without an arena.
struct ArenaNames {
  char arena_variable[kPathCapacity];  // "IOTRACE_ARENA=PATH:NONCE"
  char library[kPathCapacity];         // "DIRECTORY/libiotrace.so"
};
extern ArenaNames arena_names;

}  // namespace iotrace
