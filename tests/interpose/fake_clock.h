// A clock that the test turns: while one exists, clock_gettime tells its time. For the tests of the
// timed calls.
#pragma once

#include <stdint.h>

namespace iotrace {

class FakeClock {
 public:
  FakeClock();
  ~FakeClock();
  FakeClock(const FakeClock&) = delete;
  FakeClock& operator=(const FakeClock&) = delete;

  void advance(uint64_t ns) { now_ns_ += ns; }
  // How often it was looked at.
  uint64_t looks() const { return looks_; }
  uint64_t look() {
    ++looks_;
    return now_ns_;
  }

 private:
  uint64_t now_ns_ = uint64_t{1} << 40;
  uint64_t looks_ = 0;
};

}  // namespace iotrace
