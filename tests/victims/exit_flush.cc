// Victim: prints in main, in an atexit handler and in a static object's destructor; only the end of
// the process flushes, after all of them.
#include <cstdio>
#include <cstdlib>

namespace {

struct Talkative {
  ~Talkative() { printf("destructor\n"); }
} talkative;

}  // namespace

int main() {
  atexit([] { printf("atexit\n"); });
  printf("main\n");
  return 0;
}
