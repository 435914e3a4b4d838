// hello_slow: the lock is taken once for all; the line buffer of 1 KiB is still there and searches
// each piece. A C++ emulation of a Rust program that locks its standard output.
#include "console.h"
#include "pieces.h"

bool say_hello(unsigned long long count) {
  iotrace::Console console;
  iotrace::Console::Locked out = console.lock();
  return iotrace::write_in_pieces(out, count);
}
