// May a byte of the program's be looked at? Any context.
//
// The null device takes bytes without reading them, so a write to it succeeds from any address. To
// see whether such a call ended in a newline, the byte must not be touched unless it is certain to
// be there; asking the kernel costs two writes.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "interpose/shared/arena.h"

namespace iotrace {

// Where the program's own image lies, as far as it is in one readable piece.
struct ProgramRange {
  uintptr_t start;
  uintptr_t size;
};
__attribute__((visibility("hidden"))) extern ProgramRange program_range;

// Not 0 as long as the program has one thread alone. Where the C library does not say so, always 0.
__attribute__((visibility("hidden"))) extern const volatile char* is_single_threaded;

// Pages that the kernel said are readable, each at a place that its number gives; 0: none.
inline constexpr unsigned kVerifiedPages = 64;
__attribute__((visibility("hidden"))) extern uintptr_t verified_pages[kVerifiedPages];

// Finds out where the program and its heap lie. Constructor.
void note_program_memory();

// The program takes this memory away, or its permissions: what lies there is not trusted any more.
void distrust_memory(const void* start, size_t size);

inline bool in_program(const char* byte) {
  return reinterpret_cast<uintptr_t>(byte) - program_range.start < program_range.size;
}

inline uintptr_t page_of(const char* byte) { return reinterpret_cast<uintptr_t>(byte) / 4096; }

inline bool is_verified(const char* byte) {
  uintptr_t page = page_of(byte);
  return __atomic_load_n(&verified_pages[page % kVerifiedPages], __ATOMIC_RELAXED) == page &&
         page != 0;
}

// Whether a byte that a call has taken may be looked at without further ado.
inline bool may_look(const char* byte, BytesRead bytes_read) {
  if (in_program(byte)) return true;
  switch (bytes_read) {
    case BytesRead::still_there:
      return true;
    case BytesRead::perhaps_gone:
      return *is_single_threaded;
    default:
      return is_verified(byte);
  }
}

// Whether *byte is a newline; false where it cannot be read.
bool is_newline_carefully(const char* byte);

}  // namespace iotrace
