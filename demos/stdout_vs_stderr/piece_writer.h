// The stream that a full-screen program draws on, buffered as the user wants it. stdio does the
// buffering, since that is what decides in most programs, and so that iotrace can name the mode and
// why each buffer left. tui_demo and simple_tui, outside signal handlers.
#pragma once

#include <cstdio>
#include <string_view>

namespace iotrace {

enum class Stream { kStdout, kStderr };

enum class BufferMode {
  kNone,   // each piece is a system call
  kLine,   // 1 KiB; leaves at a newline and when it is full
  kBlock,  // as much as a frame; leaves when it is full and at flush()
};

const char* name_of(Stream stream);
const char* name_of(BufferMode mode);
BufferMode usual_buffer(Stream stream);  // what a terminal program gets when it does not choose
Stream other_stream(Stream stream);

class PieceWriter {
 public:
  // At most one for each stream, before anything was written to it: setvbuf allows no later change.
  PieceWriter(Stream stream, BufferMode mode);

  void put(std::string_view piece) { std::fwrite(piece.data(), 1, piece.size(), file_); }
  // False, with errno, if something could not be written since the last time.
  bool flush();

  Stream stream() const { return stream_; }
  BufferMode mode() const { return mode_; }
  int fd() const;

 private:
  Stream stream_;
  BufferMode mode_;
  std::FILE* file_;
};

}  // namespace iotrace
