// The description of this image in the arena: command line, executable. Constructor, and the child
// of a fork.
#pragma once

#include "interpose/shared/arena.h"

namespace iotrace {

// `argv` may be nullptr: then the kernel is asked.
void describe_image(char* const* argv, ImageRecord* image);

// The child of a fork runs what its parent runs.
void copy_description(const ImageRecord& parent, ImageRecord* child);

// Sets flags; any context.
void add_image_flags(uint32_t flags);
bool image_has(uint32_t flag);

// The program is about to restrict the system calls, or the time stamp counter, that it may use:
// from now on we make no system call of our own in this image, and time nothing. Descriptors keep
// the records that they have.
void freeze_image();

// Calls freeze_image if prctl(option) does that.
void note_prctl(int option);

}  // namespace iotrace
