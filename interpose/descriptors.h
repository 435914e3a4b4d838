// Descriptor numbers: which record each stands for now, and where it came from. Any context.
//
// A number is looked up by fstat on its first call and again after something touched it (forget).
// The child of a vfork shares this memory with its parent: there only the overlay in the thread's
// lane changes, and nothing is remembered.
#pragma once

#include "interpose/process.h"

namespace iotrace {

// Looks the descriptor up and returns the index of its record.
unsigned look_up(int fd);

// Whether `fd` still refers to the target that `record` describes (true also where that cannot be
// asked).
bool target_unchanged(int fd, const DescriptorRecord& record);

// `fd` is closed, or about to be: what comes under that number next was opened by this image.
void forget(int fd);
void forget_range(unsigned first, unsigned last);

// `fd` refers to something else now, of the origin given.
void note_new_target(int fd, Origin origin);

Origin origin_of(int fd);

// What an image executed now would inherit.
void copy_origins(Origin (&origins)[kOriginCount]);

// In the child of a fork: the numbers mean what they meant, but the records were the parent's.
void forget_all_records();

}  // namespace iotrace
