// hello_glacial: three pieces an item, and the lock taken and released for each. A C++ emulation of
// what a Rust program does that uses the handle of its standard output as it is.
#include "console.h"
#include "pieces.h"

bool say_hello(unsigned long long count) {
  iotrace::Console console;
  return iotrace::write_in_pieces(console, count);
}
