// hello_fast: a buffer of 32 KiB above the locked standard output. The line buffer below it
// searches a block now and then instead of each piece, and lets it pass. A C++ emulation of Rust's
// BufWriter around a locked standard output.
#include "block_writer.h"
#include "console.h"
#include "pieces.h"

bool say_hello(unsigned long long count) {
  iotrace::Console console;
  iotrace::BlockWriter<iotrace::Console::Locked> out(32 * 1024, console.lock());
  return iotrace::write_in_pieces(out, count);
}
