// hello_speedy: a buffer of 32 KiB straight on the descriptor. A C++ emulation of Rust's BufWriter
// around the file that is descriptor 1.
#include <unistd.h>

#include "block_writer.h"
#include "pieces.h"

bool say_hello(unsigned long long count) {
  iotrace::BlockWriter<iotrace::Descriptor> out(32 * 1024, iotrace::Descriptor(STDOUT_FILENO));
  return iotrace::write_in_pieces(out, count);
}
