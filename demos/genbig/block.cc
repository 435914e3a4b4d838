// genbig_block: the same lines, ended by a newline alone, in a buffer of std::cout's own: without
// sync_with_stdio(false) it has none and hands every piece to stdio.
#include <iostream>

#include "genbig.h"

namespace iotrace {

bool write_page(unsigned long long elements) {
  std::ios::sync_with_stdio(false);
  std::cout << kFirstLine << '\n';
  for (; elements > 0 && std::cout; --elements) std::cout << kElement << '\n';
  std::cout << kLastLine << '\n' << std::flush;
  return std::cout.good();
}

}  // namespace iotrace
