// Lanes: which counters the calling thread writes. Any context, signal handlers and the children of
// fork and vfork included.
#pragma once

#include "interpose/process.h"

namespace iotrace {

// The calling thread's lane, acquired if it has none; nullptr when there is no arena or no room in
// it. In the child of a fork this is where the child becomes an image of its own.
Lane* current_lane();

// The calling thread's counters for record number `record`; nullptr when there is no room.
CounterBlock* block_in_lane(Lane* lane, unsigned record);

}  // namespace iotrace
