// The descriptor records of this image: (number, target, stream), found again by what they
// describe. Any context.
#pragma once

#include <sys/stat.h>

#include "interpose/process.h"

namespace iotrace {

// Record number `index`; nullptr when its page cannot be had.
DescriptorRecord* record_at(unsigned index);

// The record of `fd` while it refers to the target in `status`, made if there is none. When all
// records are taken: the catch-all of that stream.
unsigned find_or_make_record(int fd, Origin origin, const struct stat& status);

// The record of a number that refers to nothing, or cannot be asked.
unsigned record_without_target(int fd, Origin origin);

inline bool same_target(const DescriptorRecord& record, const struct stat& status) {
  return record.dev == status.st_dev && record.ino == status.st_ino &&
         record.rdev == status.st_rdev;
}

// In the child of a fork: its image has no records yet.
void start_without_records();

}  // namespace iotrace
