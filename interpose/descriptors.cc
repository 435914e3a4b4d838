#include "interpose/descriptors.h"

#include "interpose/image.h"
#include "interpose/lanes.h"
#include "interpose/raw.h"
#include "interpose/records.h"

namespace iotrace {
namespace {

bool in_table(int fd) {
  return static_cast<unsigned>(fd) < static_cast<unsigned>(kDescriptorTableSize);
}

// The origins as the child of a vfork sees them; nullptr where there is no room, then nothing is
// known.
Origin* vfork_overlay() {
  Lane* lane = current_lane();
  if (lane == nullptr) return nullptr;
  ThreadState& thread = iotrace_thread;
  if (!(thread.in_vfork_child & kVforkOriginsCopied)) {
    __builtin_memcpy(lane->vfork_origins, process.origins, sizeof(lane->vfork_origins));
    thread.in_vfork_child |= kVforkOriginsCopied;
  }
  return lane->vfork_origins;
}

// Only the part of the tables that was ever used is gone through: they are large, and mostly
// untouched memory.
void extend_used_part(int fd) {
  int end = __atomic_load_n(&process.table_end, __ATOMIC_RELAXED);
  while (fd >= end && !__atomic_compare_exchange_n(&process.table_end, &end, fd + 1, false,
                                                   __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

void set_origin(int fd, Origin origin) {
  if (!iotrace_thread.in_vfork_child) {
    extend_used_part(fd);
    process.origins[fd] = origin;
  } else if (static_cast<unsigned>(fd) < kOriginCount) {
    if (Origin* overlay = vfork_overlay()) overlay[fd] = origin;
  }
}

void drop_record(int fd) {
  if (!iotrace_thread.in_vfork_child)
    __atomic_store_n(&process.records[fd], uint16_t{0}, __ATOMIC_RELAXED);
}

}  // namespace

unsigned look_up(int fd) {
  struct stat status;
  Origin origin = origin_of(fd);
  // A number that refers to nothing is not remembered: what it refers to next may be opened where
  // we do not see it.
  if (image_has(kImageFrozen) || raw::fstat(fd, &status) != 0)
    return record_without_target(fd, origin);
  unsigned index = find_or_make_record(fd, origin, status);
  if (in_table(fd) && !iotrace_thread.in_vfork_child) {
    extend_used_part(fd);
    __atomic_store_n(&process.records[fd], static_cast<uint16_t>(index + 1), __ATOMIC_RELAXED);
  }
  return index;
}

bool target_unchanged(int fd, const DescriptorRecord& record) {
  if (record.fd < 0 || image_has(kImageFrozen)) return true;
  struct stat status;
  return raw::fstat(fd, &status) == 0 && same_target(record, status);
}

void forget(int fd) { note_new_target(fd, Origin::elsewhere); }

void forget_range(unsigned first, unsigned last) {
  // Beyond the used part and from 3 on, not knowing an origin and knowing that it is neither stream
  // come to the same.
  unsigned end = process.table_end < 3 ? 3 : static_cast<unsigned>(process.table_end);
  for (unsigned fd = first; fd <= last && fd < end; ++fd) forget(static_cast<int>(fd));
}

void note_new_target(int fd, Origin origin) {
  if (!in_table(fd)) return;
  set_origin(fd, origin);
  drop_record(fd);
}

Origin origin_of(int fd) {
  const Origin* origins = process.origins;
  int size = kDescriptorTableSize;
  if (iotrace_thread.in_vfork_child) {
    origins = vfork_overlay();
    size = kOriginCount;
  }
  bool known = origins != nullptr && fd >= 0 && fd < size && origins[fd] != Origin::unknown;
  if (known) return origins[fd];
  // Not opened by this image, as far as we saw: what was 1 or 2 when it started is the stream.
  return fd == 1 ? Origin::from_stdout : fd == 2 ? Origin::from_stderr : Origin::elsewhere;
}

void copy_origins(Origin (&origins)[kOriginCount]) {
  const Origin* current = iotrace_thread.in_vfork_child ? vfork_overlay() : process.origins;
  if (current != nullptr) __builtin_memcpy(origins, current, sizeof(origins));
}

void forget_all_records() {
  __builtin_memset(process.records, 0,
                   sizeof(process.records[0]) * static_cast<size_t>(process.table_end));
}

}  // namespace iotrace
