// hello_naive: one system call for each piece. Nothing buffers.
#include <unistd.h>

#include "block_writer.h"
#include "pieces.h"

bool say_hello(unsigned long long count) {
  iotrace::Descriptor out(STDOUT_FILENO);
  return iotrace::write_in_pieces(out, count);
}
