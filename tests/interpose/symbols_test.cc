// Tests of interpose/symbols: every exported name leads to what the program would have called
// without us, as the dynamic loader itself finds it.
#include "interpose/symbols.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <string>

extern "C" void* iotrace_next_syscall;

namespace iotrace {
namespace {

struct Symbol {
  const char* name;
  void* next;
};

#define NEXT(name) {#name, reinterpret_cast<void*>(next::name)},
#define NEXT_AS(name, type) NEXT(name)
#define ALIAS(name, other)
const Symbol kSymbols[] = {
#include "interpose/exports.def"
    {"syscall", iotrace_next_syscall},
};
#undef NEXT
#undef NEXT_AS
#undef ALIAS

TEST(NextDefinitions, are_those_that_the_loader_finds) {
  int found = 0;
  for (const Symbol& symbol : kSymbols) {
    void* expected = dlsym(RTLD_NEXT, symbol.name);
    if (expected == nullptr) {
      EXPECT_NE(symbol.next, nullptr) << symbol.name;
    } else {
      EXPECT_EQ(symbol.next, expected) << symbol.name;
      ++found;
    }
  }
  EXPECT_GE(found, 60);
}

TEST(NextDefinitions, can_be_called) {
  EXPECT_EQ(next::write(-1, "x", 1), -1);
  EXPECT_EQ(errno, EBADF);
  int fd = next::dup(0);
  EXPECT_GE(fd, 0);
  EXPECT_EQ(next::close(fd), 0);
}

TEST(NextDefinitions, are_resolved_again_to_the_same) {
  auto before = next::write;
  next::write = nullptr;
  resolve_next_definitions();
  EXPECT_EQ(next::write, before);
}

}  // namespace
}  // namespace iotrace
