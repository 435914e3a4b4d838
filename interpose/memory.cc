#include "interpose/memory.h"

#include <sys/mman.h>

#include "interpose/arena_map.h"
#include "interpose/image.h"
#include "interpose/raw.h"

namespace iotrace {
namespace {

constexpr uint64_t kPageSize = 4096;
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

}  // namespace

uint32_t take_segment(ArenaHeader* header) {
  // Stops adding once the arena is full, so that the word cannot wrap round.
  uint32_t next = __atomic_load_n(&header->next_segment, __ATOMIC_RELAXED);
  do {
    if (next >= segments_in(header->arena_size)) return 0;
  } while (!__atomic_compare_exchange_n(&header->next_segment, &next, next + 1, false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return next + 1;
}

bool make_present(void* start, size_t size) {
  uintptr_t first = reinterpret_cast<uintptr_t>(start) & ~(kPageSize - 1);
  uintptr_t end = reinterpret_cast<uintptr_t>(start) + size;
  // One call for all where the kernel has it (5.14), else page by page.
  if (end - first > kPageSize &&
      raw::advise(reinterpret_cast<void*>(first), align_up(end - first, kPageSize),
                  MADV_POPULATE_WRITE) == 0) {
    return true;
  }
  for (uintptr_t page = first; page < end; page += kPageSize) {
    // The probe writes a word: never over bytes that are in use, hence the first byte that is ours.
    uintptr_t probe =
        page < reinterpret_cast<uintptr_t>(start) ? reinterpret_cast<uintptr_t>(start) : page;
    if (!raw::page_is_writable(reinterpret_cast<void*>(probe))) return false;
  }
  return true;
}

Ref allocate(size_t size) {
  ImageRecord* image = process.image;
  if (image_has(kImageFull)) return 0;
  size = align_up(size, kRefUnit);
  uint64_t current = __atomic_load_n(&image->allocation, __ATOMIC_RELAXED);
  for (;;) {
    uint32_t segment = static_cast<uint32_t>(current >> 32);
    uint32_t offset = static_cast<uint32_t>(current);
    if (offset + size <= kSegmentSize) {
      if (!__atomic_compare_exchange_n(&image->allocation, &current, current + size, false,
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        continue;
      }
      uint64_t start = segment_offset(segment) + offset;
      bool new_page = start % kPageSize == 0 || start / kPageSize != (start + size - 1) / kPageSize;
      if (new_page && (image_has(kImageFrozen) || !make_present(process.base + start, size))) {
        // What follows on that page must not be taken for present.
        add_image_flags(kImageFull);
        return 0;
      }
      return ref_of_offset(start);
    }
    if (image_has(kImageFrozen) || (image->flags & kImageNarrowWindow)) return 0;
    uint32_t fresh = take_segment(process.header);
    if (fresh == 0) return 0;
    note_own_segment(fresh);
    uint64_t desired = uint64_t{fresh} << 32;
    __atomic_compare_exchange_n(&image->allocation, &current, desired, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
    current = __atomic_load_n(&image->allocation, __ATOMIC_RELAXED);
  }
}

}  // namespace iotrace
