// Door 2: stdio's own table of functions. Constructor; the hook itself runs wherever stdio writes.
//
// The C library's buffered output calls its internal write directly, so the exported symbols alone
// see nothing of printf. In glibc the pointer to a FILE's functions lies directly behind struct
// _IO_FILE; slot 15 of that table is the function that writes. Every word equal to it in libc's
// PT_GNU_RELRO segment is replaced by ours, which knows the FILE. Source: glibc libio/libioP.h
// (struct _IO_FILE_plus, struct _IO_jump_t).
#pragma once

namespace iotrace {

// False where the C library does not look as expected, or its memory cannot be made writable:
// nothing is changed then.
bool hook_stdio_table();

}  // namespace iotrace
