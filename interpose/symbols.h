// The next definition of every symbol that the library exports: what the program would have called
// without us. Set once, in the constructor or in the first wrapper that is called before it; read
// by every wrapper.
//
// Resolved by our own walk over the loaded objects, because a reference to dlsym binds the library
// to one C library: glibc 2.34 moved it from libdl into libc under a new version, and it may
// allocate.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utmp.h>
#include <wchar.h>

#include <type_traits>

namespace iotrace {

#pragma GCC visibility push(hidden)
namespace next {
// Before they are resolved, all point to functions that resolve them first.
#define NEXT(name) extern decltype(&::name) name;
#define NEXT_AS(name, type) extern std::type_identity_t<type> name;
#define ALIAS(name, other)
#include "interpose/exports.def"
#undef NEXT
#undef NEXT_AS
#undef ALIAS
}  // namespace next
#pragma GCC visibility pop

void resolve_next_definitions();

// glibc's __rseq_offset (2.35 and later): where the thread's rseq area lies from the thread
// pointer; nullptr where there is none.
const ptrdiff_t* rseq_offset();

// glibc's __libc_single_threaded (2.32 and later): not 0 until a second thread is started; nullptr
// where there is none.
const volatile char* single_threaded_flag();

}  // namespace iotrace
