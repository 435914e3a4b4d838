// hello_limit: no strategy but the measure for them. It writes as many bytes as they do, in pieces
// of 8 KiB, and all that it does for them is one copy from a text that is already there: what one
// thread can do at most that has to put its output into a buffer. The bytes are not the items.
#include <unistd.h>

#include "item.h"
#include "write_fully.h"

static unsigned long long bytes_of(unsigned long long count) {
  unsigned long long bytes = 0;
  size_t length = item_at(0).length;
  for (unsigned long long from = 0, up_to = 10; from < count; from = up_to, up_to *= 10) {
    bytes += ((count < up_to ? count : up_to) - from) * length++;
  }
  return bytes;
}

bool say_hello(unsigned long long count) {
  static char text[kItemBufferSize];
  static char buffer[kItemBufferSize];
  memset(text, '0', sizeof text);
  for (unsigned long long left = bytes_of(count); left > 0;) {
    size_t size = left < sizeof buffer ? (size_t)left : sizeof buffer;
    memcpy(buffer, text, size);
    if (!write_fully(STDOUT_FILENO, buffer, size)) return false;
    left -= size;
  }
  return true;
}
