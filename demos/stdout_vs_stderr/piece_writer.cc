// Streams and their buffers; see piece_writer.h.
#include "piece_writer.h"

#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace iotrace {
namespace {

constexpr size_t kLineBytes = 1024;
// About two frames of a terminal of 200x50. Larger pictures leave in a few calls.
constexpr size_t kBlockBytes = 512 * 1024;

// One for each stream, because both may be in use. Static, since stdio uses them until exit.
char buffers[2][kBlockBytes];

}  // namespace

const char* name_of(Stream stream) { return stream == Stream::kStdout ? "stdout" : "stderr"; }

const char* name_of(BufferMode mode) {
  switch (mode) {
    case BufferMode::kNone:
      return "none";
    case BufferMode::kLine:
      return "line";
    case BufferMode::kBlock:
      return "block";
  }
  return "";
}

BufferMode usual_buffer(Stream stream) {
  return stream == Stream::kStdout ? BufferMode::kLine : BufferMode::kNone;
}

Stream other_stream(Stream stream) {
  return stream == Stream::kStdout ? Stream::kStderr : Stream::kStdout;
}

PieceWriter::PieceWriter(Stream stream, BufferMode mode)
    : stream_(stream), mode_(mode), file_(stream == Stream::kStdout ? stdout : stderr) {
  char* buffer = buffers[stream == Stream::kStdout ? 0 : 1];
  switch (mode) {
    case BufferMode::kNone:
      std::setvbuf(file_, nullptr, _IONBF, 0);
      break;
    case BufferMode::kLine:
      std::setvbuf(file_, buffer, _IOLBF, kLineBytes);
      break;
    case BufferMode::kBlock:
      std::setvbuf(file_, buffer, _IOFBF, kBlockBytes);
      break;
  }
}

bool PieceWriter::flush() {
  // A piece that failed has set the stream's error flag; the next flush, of what remains, may well
  // succeed or overwrite errno with the same reason.
  const bool flushed = std::fflush(file_) == 0;
  const bool failed_before = std::ferror(file_) != 0;
  if (failed_before) std::clearerr(file_);
  return flushed && !failed_before;
}

int PieceWriter::fd() const { return stream_ == Stream::kStdout ? STDOUT_FILENO : STDERR_FILENO; }

}  // namespace iotrace
