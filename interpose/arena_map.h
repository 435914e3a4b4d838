// Mapping the arena into this process. Constructor, and the child of a fork.
#pragma once

#include "interpose/shared/arena.h"

namespace iotrace {

// Opens, checks and maps the arena; keeps no descriptor. nullptr if there is none that we
// understand.
ArenaHeader* map_arena(const char* path, uint64_t nonce);

// Makes segment number `segment_plus_one` reachable through process.base. Does nothing where all of
// the arena is mapped; where address space is limited, maps just that segment, which from then on
// is this image's only one.
bool map_segment(uint32_t segment_plus_one);

// Whether only single segments are mapped.
bool is_narrow_window();

// Notes that the segment is this process's, for narrow_window.
void note_own_segment(uint32_t segment_plus_one);

// Unmaps everything but the header and this process's segments. Any thread.
void narrow_window();

}  // namespace iotrace
