// Room in the arena for this image: segments, and the bump allocator inside them. Any context: no
// lock, no allocation by libc, and nothing is handed out before the kernel has confirmed that its
// pages can be had.
#pragma once

#include <stddef.h>

#include "interpose/process.h"

namespace iotrace {

// Number of a fresh, zeroed segment plus one; 0 when the arena is full.
uint32_t take_segment(ArenaHeader* header);

// Makes sure that writing to these bytes cannot raise SIGBUS (the file system may be full).
bool make_present(void* start, size_t size);

// `size` zeroed bytes, aligned to kRefUnit, in this image's segments; 0 when there is no room.
Ref allocate(size_t size);

template <typename T>
inline T* in_image(Ref ref) {
  return at<T>(process.base, ref);
}
inline Ref ref_in_image(const void* pointer) {
  return ref_of_offset(static_cast<uint64_t>(static_cast<const char*>(pointer) - process.base));
}

// Returns the T that *slot refers to, allocating it first if there is none. nullptr when there is
// no room. Two contexts may race for one slot: the loser's bytes are wasted, never shared.
template <typename T>
inline T* get_or_allocate(Ref* slot) {
  Ref ref = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
  if (ref == 0) {
    Ref fresh = allocate(sizeof(T));
    if (fresh == 0) return nullptr;
    if (__atomic_compare_exchange_n(slot, &ref, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      ref = fresh;
    }
  }
  return in_image<T>(ref);
}

}  // namespace iotrace
