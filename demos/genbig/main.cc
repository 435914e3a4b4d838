// The main function of the C++ programs: how large the page is to be, and what went wrong. Reports
// with dprintf, as std::cout and its buffer belong to the program's own part.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "genbig.h"

namespace iotrace {
namespace {

constexpr unsigned long long kDefaultSize = 42ULL << 20;
constexpr unsigned long long kMaxSize = 1024ULL << 30;
constexpr std::string_view kSizeOption = "--size";

[[noreturn]] void refuse(const char* program, const char* argument, const char* why) {
  dprintf(STDERR_FILENO, "%s: '%s' %s; usage: %s [--size BYTES[K|M|G]]\n", program, argument, why,
          program);
  std::exit(2);
}

unsigned long long parse_size(const char* program, const char* argument) {
  std::string_view text = argument;
  unsigned shift = 0;
  switch (text.empty() ? '\0' : text.back()) {
    case 'K':
      shift = 10;
      break;
    case 'M':
      shift = 20;
      break;
    case 'G':
      shift = 30;
      break;
  }
  if (shift > 0) text.remove_suffix(1);
  unsigned long long size = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
    refuse(program, argument, "is no size");
  }
  if (error != std::errc() || size > kMaxSize >> shift) {
    refuse(program, argument, "is more than 1024G");
  }
  return size << shift;
}

unsigned long long size_in(int argc, char** argv) {
  std::optional<unsigned long long> size;
  for (int i = 1; i < argc; ++i) {
    if (argv[i] != kSizeOption) {
      refuse(argv[0], argv[i], argv[i][0] == '-' ? "is no option" : "is one argument too many");
    }
    if (i + 1 == argc) refuse(argv[0], argv[i], "lacks its size");
    size = parse_size(argv[0], argv[++i]);
  }
  return size.value_or(kDefaultSize);
}

// As many as it takes to reach the size; the last line comes on top.
unsigned long long elements_for(unsigned long long size) {
  unsigned long long line = kElement.size() + 1;
  unsigned long long before = std::min<unsigned long long>(size, kFirstLine.size() + 1);
  return (size - before + line - 1) / line;
}

int run(int argc, char** argv) {
  unsigned long long elements = elements_for(size_in(argc, argv));
  if (fcntl(STDOUT_FILENO, F_GETFD) < 0 || !write_page(elements)) {
    dprintf(STDERR_FILENO, "%s: stdout: %s\n", argv[0], strerror(errno));
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace iotrace

int main(int argc, char** argv) { return iotrace::run(argc, argv); }
