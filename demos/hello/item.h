// One item, kept as text: counting is done on the digits, in place, so that no number is divided by
// ten. The strategies with a hand-made buffer use it. C and C++.
//
// The text has a fixed size, so that an item is copied by two plain moves instead of by a call of
// memcpy; what is copied beyond its end, the next item overwrites. Ten items in a row differ in
// their last digit alone, so a strategy may take ten copies of one text and put the digit into each
// copy: a copy right after a change of the text would have to wait for the change to arrive.
#pragma once

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "hello.h"

enum {
  kItemSize = 32,
  kFirstDigit = sizeof HELLO_PREFIX - 1,
  kItemBufferSize = 8192,             // what the strategies write at once
  kItemBufferSlack = 10 * kItemSize,  // room for the ten items that overstep it
};

struct Item {
  char text[kItemSize];
  size_t length;
};

static inline struct Item item_at(unsigned long long number) {
  struct Item item;
  item.length =
      (size_t)snprintf(item.text, sizeof item.text, HELLO_PREFIX "%llu" HELLO_SUFFIX, number);
  return item;
}

static inline size_t last_digit(const struct Item* item) {
  return item->length - sizeof HELLO_SUFFIX;
}

// Adds one to the digit at `place` and carries. At the last digit that makes the next item, at the
// one before it the item ten further on.
static inline void count_on(struct Item* item, size_t place) {
  while (place >= kFirstDigit && item->text[place] == '9') item->text[place--] = '0';
  if (place >= kFirstDigit) {
    ++item->text[place];
    return;
  }
  char* digits = item->text + kFirstDigit;
  memmove(digits + 1, digits, item->length - kFirstDigit);
  *digits = '1';
  ++item->length;
}
