// Buffers in front of something that takes bytes, in the way of Rust's BufWriter: what fits is
// copied, what does not fit sends the buffer on first, and what is as large as the whole buffer
// goes past it. One thread at a time.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "write_fully.h"

namespace iotrace {

// The end of every chain of buffers: each write is a system call at once.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  bool write(std::string_view bytes) { return write_fully(fd_, bytes.data(), bytes.size()); }
  bool flush() { return true; }

 private:
  int fd_;
};

// `Sink` has write and flush like this class; both return false, with errno set, on failure.
template <class Sink>
class BlockWriter {
 public:
  BlockWriter(size_t capacity, Sink sink)
      : capacity_(capacity), buffer_(std::make_unique<char[]>(capacity)), sink_(std::move(sink)) {}

  bool write(std::string_view bytes) {
    if (bytes.size() > capacity_ - used_ && !send_on()) return false;
    if (bytes.size() >= capacity_) return sink_.write(bytes);
    std::memcpy(buffer_.get() + used_, bytes.data(), bytes.size());
    used_ += bytes.size();
    return true;
  }

  // Sends on what is here, and leaves the sink's own buffer alone.
  bool send_on() {
    size_t size = used_;
    used_ = 0;
    return size == 0 || sink_.write({buffer_.get(), size});
  }

  bool flush() { return send_on() && sink_.flush(); }

  std::string_view held() const { return {buffer_.get(), used_}; }
  Sink& sink() { return sink_; }

 private:
  size_t capacity_;
  size_t used_ = 0;
  std::unique_ptr<char[]> buffer_;
  Sink sink_;
};

}  // namespace iotrace
