// May a byte of the program's be looked at? Any context.
//
// The null device takes bytes without reading them, so a write to it succeeds from any address. To
// see whether such a call ended in a newline, the byte must not be touched unless it is certain to
// be there; asking the kernel costs two writes.
#pragma once

namespace iotrace {

// Remembers where the program and its heap lie. Constructor.
void note_program_memory();

// Whether *byte is a newline; false where it cannot be read.
bool is_newline_carefully(const char* byte);

}  // namespace iotrace
