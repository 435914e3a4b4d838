// hello_dumbest: one formatted print an item, which takes the lock and hands on the whole item. A
// C++ emulation of Rust's print!; the published program's source is not known, so this is our
// reading of it.
#include <cstdio>

#include "console.h"
#include "hello.h"

bool say_hello(unsigned long long count) {
  iotrace::Console console;
  for (unsigned long long number = 0; number < count; ++number) {
    char item[64];
    int length = snprintf(item, sizeof item, HELLO_PREFIX "%llu" HELLO_SUFFIX, number);
    if (!console.write({item, static_cast<size_t>(length)})) return false;
  }
  return console.flush();
}
