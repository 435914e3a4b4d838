// Counted calls as the wrappers make them, for the tests of interpose/record and interpose/shape.
#pragma once

#include <errno.h>

#include <string_view>

#include "interpose/lanes.h"
#include "interpose/memory.h"
#include "interpose/raw.h"
#include "interpose/records.h"
#include "interpose/shape.h"

namespace iotrace {

// Counts a write of `text`, of which `real` says what becomes of it.
template <typename Real>
long counted_write(int fd, std::string_view text, Real real) {
  return counted<Call::write>({{fd, raw::address(text.data()), static_cast<long>(text.size())}},
                              real);
}

// One that takes everything.
inline long counted_write(int fd, std::string_view text) {
  return counted_write(fd, text, [&] { return static_cast<long>(text.size()); });
}

inline long failing_write(int fd, int error) {
  return counted_write(fd, "12345", [error] {
    errno = error;
    return -1L;
  });
}

// The calling thread's counters for what `fd` refers to now, whether or not there were calls.
inline CounterBlock& block_for(int fd) {
  struct stat status = {};
  raw::fstat(fd, &status);
  return *block_in_lane(current_lane(), find_or_make_record(fd, Origin::elsewhere, status));
}

}  // namespace iotrace
