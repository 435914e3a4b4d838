// The process's standard output as Rust hands it out: one line buffer for all threads, and a lock
// that the same thread may take again. Any thread.
#pragma once

#include <unistd.h>

#include <mutex>
#include <string_view>

#include "line_writer.h"

namespace iotrace {

class Console {
 public:
  // For those that write a lot: keeps the lock for as long as it lives.
  class Locked {
   public:
    explicit Locked(Console& console) : lock_(console.mutex_), lines_(&console.lines_) {}
    bool write(std::string_view piece) { return lines_->write(piece); }
    bool flush() { return lines_->flush(); }

   private:
    std::unique_lock<std::recursive_mutex> lock_;
    LineWriter* lines_;
  };

  Locked lock() { return Locked(*this); }

  // Each takes the lock for this one call.
  bool write(std::string_view piece) { return lock().write(piece); }
  bool flush() { return lock().flush(); }

 private:
  std::recursive_mutex mutex_;
  LineWriter lines_{STDOUT_FILENO};
};

}  // namespace iotrace
