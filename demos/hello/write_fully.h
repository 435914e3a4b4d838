// All of some bytes to a descriptor, however many system calls the target makes of them. C and C++.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// False, with errno set, when a call fails for another reason than a signal.
bool write_fully(int fd, const char* data, size_t size);

#ifdef __cplusplus
}
#endif
