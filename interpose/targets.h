// Targets: what a descriptor refers to, and to which stream of the run that belongs. Any context;
// system calls of our own.
#pragma once

#include <sys/stat.h>

#include "interpose/process.h"

namespace iotrace {

TargetKind kind_of(int fd, const struct stat& status);

// The stream that a call on a descriptor of the origin given belongs to (DESIGN "Words", stream).
Stream stream_of(Origin origin, const struct stat& status);

// The same where the descriptor refers to nothing that can be asked.
Stream stream_by_origin(Origin origin);

// Reads the target's path into the arena; 0 where there is none, no room, or enough paths have been
// read.
Ref read_path(int fd);

}  // namespace iotrace
