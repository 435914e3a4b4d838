#include "cli/tally.h"

#include <algorithm>
#include <cerrno>

namespace iotrace {
namespace {

enum class InKernelCount { never, maybe, always };

// Whether a call that failed raised `syscw`. Measured on Linux 6.18 and read in fs/read_write.c,
// fs/splice.c: the count is raised after the file was asked, so what is refused before that (a bad
// descriptor, one that is not open for writing, an unreadable address found by the early check, a
// bad offset) is not in it; the vectored calls count always.
InKernelCount counted_by_kernel(Call call, int error) {
  if (!kCallInSyscw[static_cast<unsigned>(call)]) return InKernelCount::never;
  switch (call) {
    case Call::write:
      if (error == EBADF) return InKernelCount::never;
      return error == EFAULT || error == EINVAL ? InKernelCount::maybe : InKernelCount::always;
    case Call::writev:
    case Call::pwritev:
    case Call::pwritev2:
      return error == EBADF || error == EAGAIN || error == EPIPE || error == ENOSPC
                 ? InKernelCount::always
                 : InKernelCount::maybe;
    case Call::pwrite64:
      if (error == EBADF || error == ESPIPE) return InKernelCount::never;
      return error == EFAULT || error == EINVAL ? InKernelCount::maybe : InKernelCount::always;
    case Call::sendfile:
      return error == EAGAIN || error == EPIPE || error == ENOSPC ? InKernelCount::always
                                                                  : InKernelCount::maybe;
    case Call::copy_file_range:
      return error == EBADF || error == EINVAL || error == kNothingCopied ? InKernelCount::never
                                                                          : InKernelCount::maybe;
    default:
      return InKernelCount::maybe;
  }
}

template <size_t n>
uint64_t sum(const uint64_t (&values)[n]) {
  uint64_t total = 0;
  for (uint64_t value : values) total += value;
  return total;
}

template <size_t n>
void add_each(uint64_t (&to)[n], const uint64_t (&from)[n]) {
  for (size_t i = 0; i < n; ++i) to[i] += from[i];
}

}  // namespace

void Tally::add(const Tally& other) {
  add_each(calls, other.calls);
  bytes += other.bytes;
  bytes_not_taken += other.bytes_not_taken;
  short_writes += other.short_writes;
  newline_terminated += other.newline_terminated;
  add_each(sizes, other.sizes);
  if (other.min_bytes_plus_one != 0) {
    min_bytes_plus_one = min_bytes_plus_one == 0
                             ? other.min_bytes_plus_one
                             : std::min(min_bytes_plus_one, other.min_bytes_plus_one);
  }
  max_bytes = std::max(max_bytes, other.max_bytes);
  add_each(by_buffering, other.by_buffering);
  add_each(flush_causes, other.flush_causes);
  stdio_calls += other.stdio_calls;
  fflush_calls += other.fflush_calls;
  fflush_empty_calls += other.fflush_empty_calls;
  for (const auto& [key, count] : other.errors) errors[key] += count;
  time_ns += other.time_ns;
  time_known = time_known && other.time_known;
  timed_calls += other.timed_calls;
  max_ns = std::max(max_ns, other.max_ns);
  add_each(times, other.times);
}

uint64_t Tally::all_calls() const { return sum(calls); }

// A look at counters that are being written may find a return without its entry: never more returns
// than entries.
uint64_t Tally::succeeded_calls() const { return std::min(sum(sizes), all_calls()); }

uint64_t Tally::failed_calls() const {
  uint64_t failed = 0;
  for (const auto& [key, count] : errors) {
    if (key.second != kNothingCopied) failed += count;
  }
  return std::min(failed, all_calls() - succeeded_calls());
}

KernelBounds kernel_bounds(const Tally& tally) {
  KernelBounds bounds;
  for (unsigned i = 0; i < kCallCount; ++i) {
    if (kCallInSyscw[i]) bounds.possibly += tally.calls[i];
  }
  bounds.certainly = bounds.possibly;
  auto take = [](uint64_t* from, uint64_t count) { *from -= std::min(*from, count); };
  for (const auto& [key, count] : tally.errors) {
    if (!kCallInSyscw[static_cast<unsigned>(key.first)]) continue;
    InKernelCount counted = counted_by_kernel(key.first, key.second);
    if (counted == InKernelCount::never) take(&bounds.possibly, count);
    if (counted != InKernelCount::always) take(&bounds.certainly, count);
  }
  bounds.unfinished = tally.unfinished_calls();
  take(&bounds.certainly, bounds.unfinished);
  return bounds;
}

}  // namespace iotrace
