#include "tests/interpose/fake_clock.h"

#include <errno.h>
#include <time.h>

#include "interpose/raw.h"

namespace iotrace {
namespace {

FakeClock* current = nullptr;

}  // namespace

FakeClock::FakeClock() { current = this; }
FakeClock::~FakeClock() { current = nullptr; }

}  // namespace iotrace

// In place of the C library's, for all that this program does.
extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (iotrace::FakeClock* fake = iotrace::current) {
    uint64_t now = fake->look();
    time->tv_sec = static_cast<time_t>(now / 1'000'000'000);
    time->tv_nsec = static_cast<long>(now % 1'000'000'000);
    return 0;
  }
  long result = iotrace::raw_syscall(SYS_clock_gettime, clock, iotrace::raw::address(time));
  if (result == 0) return 0;
  errno = static_cast<int>(-result);
  return -1;
}
