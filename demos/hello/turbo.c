// hello_turbo: an array of 8 KiB, the decimal kept as text and incremented in place. We take that
// at its word: the array holds some hundred items, is written as it is, and then the numbers in it
// become those of the next items where they stand. No item is ever copied.
//
// From one array to the next only the digits above the last two change, and of these, within a
// million items, no more than four: one store of four bytes an item.
#include <unistd.h>

#include "item.h"
#include "write_fully.h"

static const unsigned long long kMillion = 1000000;
static const size_t kMiddleFromEnd = sizeof HELLO_SUFFIX - 1 + 6;

// As many whole hundreds as fit, and so many that powers of ten are multiples of them: then all
// items of an array are of the same length, but for the very first ones.
static unsigned items_at_once(unsigned long long number) {
  return number < 100 * kMillion ? 500 : 400;
}

static size_t fill(char* array, unsigned long long number, unsigned long long items) {
  struct Item item = item_at(number);
  char* out = array;
  for (unsigned long long i = 0; i < items; ++i) {
    memcpy(out, item.text, kItemSize);
    out += item.length;
    count_on(&item, last_digit(&item));
  }
  return (size_t)(out - array);
}

static void change_middle_digits(char* array, size_t length, unsigned long long number,
                                 unsigned items) {
  char* middle = array + length - kMiddleFromEnd;
  for (unsigned i = 0; i < items; i += 100) {
    unsigned value = (unsigned)((number + i) % kMillion) / 100;
    const char digits[4] = {(char)('0' + value / 1000), (char)('0' + value / 100 % 10),
                            (char)('0' + value / 10 % 10), (char)('0' + value % 10)};
    // The loop's own work costs as much as the store.
#pragma GCC unroll 10
    for (unsigned k = 0; k < 100; ++k, middle += length) memcpy(middle, digits, sizeof digits);
  }
}

bool say_hello(unsigned long long count) {
  static char array[kItemBufferSize + kItemSize];
  size_t size = 0;
  for (unsigned long long number = 0; number < count;) {
    unsigned items = items_at_once(number);
    if (count - number < items) {
      size = fill(array, number, count - number);
    } else if (number <= kMillion / 10 || number % kMillion == 0) {
      size = fill(array, number, items);
    } else {
      change_middle_digits(array, size / items, number, items);
    }
    if (!write_fully(STDOUT_FILENO, array, size)) return false;
    number += items;
  }
  return true;
}
