// See line_writer.h.
#include "line_writer.h"

#include <string.h>

namespace iotrace {
namespace {

constexpr size_t kLineBufferSize = 1024;

}  // namespace

LineWriter::LineWriter(int fd) : buffer_(kLineBufferSize, Descriptor(fd)) {}

bool LineWriter::write(std::string_view piece) {
  const void* newline = memrchr(piece.data(), '\n', piece.size());
  if (newline == nullptr) {
    // A complete line stays behind when its flush has failed; it must not wait for more.
    if (buffer_.held().ends_with('\n') && !buffer_.send_on()) return false;
    return buffer_.write(piece);
  }
  size_t up_to = static_cast<size_t>(static_cast<const char*>(newline) - piece.data()) + 1;
  std::string_view lines = piece.substr(0, up_to);
  bool sent = buffer_.held().empty() ? buffer_.sink().write(lines)
                                     : buffer_.write(lines) && buffer_.send_on();
  return sent && buffer_.write(piece.substr(up_to));
}

}  // namespace iotrace
