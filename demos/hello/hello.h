// What the programs of this story have in common: each says "Hello, 0<TAB>Hello, 1<TAB>..." and
// differs in its strategy alone. A strategy is one file that defines say_hello; main.c does the
// rest. C and C++.
#pragma once

#include <stdbool.h>

#define HELLO_PREFIX "Hello, "
#define HELLO_SUFFIX "\t"

#ifdef __cplusplus
extern "C" {
#endif

// Writes the items 0 .. count-1 to stdout, with no newline anywhere. False, with errno set, when
// that fails; nothing may be left in a buffer when it returns true.
bool say_hello(unsigned long long count);

#ifdef __cplusplus
}
#endif
