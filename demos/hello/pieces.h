// An item in the three pieces in which a formatting library hands it on: the text, the decimal, the
// tab. For the strategies that differ in where these pieces go.
#pragma once

#include <charconv>
#include <string_view>

#include "hello.h"

namespace iotrace {

// The items 0 .. count-1, then a flush. `Writer` has write and flush, false on failure.
template <class Writer>
bool write_in_pieces(Writer& writer, unsigned long long count) {
  for (unsigned long long number = 0; number < count; ++number) {
    char decimal[20];
    const char* end = std::to_chars(decimal, decimal + sizeof decimal, number).ptr;
    bool written = writer.write(HELLO_PREFIX) &&
                   writer.write({decimal, static_cast<size_t>(end - decimal)}) &&
                   writer.write(HELLO_SUFFIX);
    if (!written) return false;
  }
  return writer.flush();
}

}  // namespace iotrace
