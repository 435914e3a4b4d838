// genbig_endl: each line ends in std::endl, which is a newline and a flush. So the buffer never
// holds more than one line, and each line is a system call.
#include <iostream>

#include "genbig.h"

namespace iotrace {

bool write_page(unsigned long long elements) {
  std::cout << kFirstLine << std::endl;
  for (; elements > 0 && std::cout; --elements) std::cout << kElement << std::endl;
  std::cout << kLastLine << std::endl;
  return std::cout.good();
}

}  // namespace iotrace
