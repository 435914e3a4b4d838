// May a byte of the program's be looked at? Any context.
//
// The null device takes bytes without reading them, so a write to it succeeds from any address. To
// see whether such a call ended in a newline, the byte must not be touched unless it is certain to
// be there; asking the kernel costs two writes.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace iotrace {

// Where the program's own image lies, as far as it is in one readable piece.
struct ProgramRange {
  uintptr_t start;
  uintptr_t size;
};
__attribute__((visibility("hidden"))) extern ProgramRange program_range;

// Finds out where the program and its heap lie. Constructor.
void note_program_memory();

// The program takes this memory away, or its permissions: what lies there is not trusted any more.
void distrust_memory(const void* start, size_t size);

inline bool in_program(const char* byte) {
  return reinterpret_cast<uintptr_t>(byte) - program_range.start < program_range.size;
}

// Whether *byte is a newline; false where it cannot be read.
bool is_newline_carefully(const char* byte);

}  // namespace iotrace
