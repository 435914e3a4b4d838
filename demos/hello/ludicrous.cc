// hello_ludicrous: a hand-made buffer and raw pointers; the next item is made from the last one by
// counting on in its digits. One item at a time.
#include <unistd.h>

#include "item.h"
#include "write_fully.h"

bool say_hello(unsigned long long count) {
  static char buffer[kItemBufferSize + kItemSize];
  char* const full = buffer + kItemBufferSize;
  char* out = buffer;
  Item item = item_at(0);
  for (; count > 0; --count) {
    memcpy(out, item.text, kItemSize);
    out += item.length;
    if (out >= full) {
      if (!write_fully(STDOUT_FILENO, buffer, kItemBufferSize)) return false;
      memcpy(buffer, full, kItemSize);
      out -= kItemBufferSize;
    }
    count_on(&item, last_digit(&item));
  }
  return write_fully(STDOUT_FILENO, buffer, static_cast<size_t>(out - buffer));
}
