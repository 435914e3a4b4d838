// A line buffer on a descriptor that behaves as the one in Rust's standard output does: 1024 bytes,
// each piece is searched for its last newline, all up to there leaves at once, the rest stays. One
// thread at a time; Console adds the lock.
//
// The search is what the story is about: where there is no newline, it finds nothing, every time.
#pragma once

#include <string_view>

#include "block_writer.h"

namespace iotrace {

class LineWriter {
 public:
  explicit LineWriter(int fd);

  // False, with errno set, when the descriptor takes no more.
  bool write(std::string_view piece);
  bool flush() { return buffer_.flush(); }

 private:
  BlockWriter<Descriptor> buffer_;
};

}  // namespace iotrace
