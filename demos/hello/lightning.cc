// hello_lightning: the decimal kept as text, and a small class for the buffer, so that the loop
// says what it does. Ten items at a time, see item.h.
#include <unistd.h>

#include <algorithm>

#include "item.h"
#include "write_fully.h"

namespace {

class ItemBuffer {
 public:
  // Takes up to ten items between two calls of write_full_blocks.
  void append(const Item& item, char digit) {
    memcpy(bytes_ + used_, item.text, kItemSize);
    bytes_[used_ + last_digit(&item)] = digit;
    used_ += item.length;
  }

  bool write_full_block() {
    if (used_ < kItemBufferSize) return true;
    if (!write_fully(STDOUT_FILENO, bytes_, kItemBufferSize)) return false;
    used_ -= kItemBufferSize;
    memcpy(bytes_, bytes_ + kItemBufferSize, kItemBufferSlack);
    return true;
  }

  bool write_rest() { return write_fully(STDOUT_FILENO, bytes_, used_); }

 private:
  char bytes_[kItemBufferSize + kItemBufferSlack];
  size_t used_ = 0;
};

}  // namespace

bool say_hello(unsigned long long count) {
  ItemBuffer buffer;
  Item item = item_at(0);
  while (count > 0) {
    unsigned items = static_cast<unsigned>(std::min(count, 10ULL));
    for (unsigned i = 0; i < items; ++i) buffer.append(item, static_cast<char>('0' + i));
    if (!buffer.write_full_block()) return false;
    count_on(&item, last_digit(&item) - 1);
    count -= items;
  }
  return buffer.write_rest();
}
