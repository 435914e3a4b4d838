// Tests of cli/tally: sums, and the bounds between which the kernel's count of the calls must lie.
#include "cli/tally.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>

namespace iotrace {
namespace {

uint64_t& calls(Tally& tally, Call call) { return tally.calls[static_cast<unsigned>(call)]; }

// Bounds of ten calls, of which three failed with `error` and the others succeeded: what "7..10"
// says.
std::string bounds(Call call, int error) {
  Tally tally;
  calls(tally, call) = 10;
  tally.sizes[3] = 7;
  tally.errors[{call, error}] = 3;
  KernelBounds found = kernel_bounds(tally);
  return std::to_string(found.certainly) + ".." + std::to_string(found.possibly);
}

TEST(KernelBounds, calls_that_succeeded_are_certain) {
  for (unsigned i = 0; i < kCallCount; ++i) {
    Tally tally;
    tally.calls[i] = tally.sizes[0] = 5;
    KernelBounds found = kernel_bounds(tally);
    EXPECT_EQ(found.certainly, kCallInSyscw[i] ? 5U : 0U) << kCallNames[i];
    EXPECT_EQ(found.possibly, found.certainly) << kCallNames[i];
  }
}

TEST(KernelBounds, failures_of_write) {
  EXPECT_EQ(bounds(Call::write, EAGAIN), "10..10");
  EXPECT_EQ(bounds(Call::write, EPIPE), "10..10");
  EXPECT_EQ(bounds(Call::write, ENOSPC), "10..10");
  EXPECT_EQ(bounds(Call::write, EBADF), "7..7");
  EXPECT_EQ(bounds(Call::write, EFAULT), "7..10");
  EXPECT_EQ(bounds(Call::write, EINVAL), "7..10");
}

TEST(KernelBounds, failures_of_the_vectored_calls) {
  for (Call call : {Call::writev, Call::pwritev, Call::pwritev2}) {
    EXPECT_EQ(bounds(call, EBADF), "10..10");
    EXPECT_EQ(bounds(call, EAGAIN), "10..10");
    EXPECT_EQ(bounds(call, EPIPE), "10..10");
    EXPECT_EQ(bounds(call, ENOSPC), "10..10");
    EXPECT_EQ(bounds(call, EFAULT), "7..10");
  }
}

TEST(KernelBounds, failures_of_pwrite) {
  EXPECT_EQ(bounds(Call::pwrite64, EBADF), "7..7");
  EXPECT_EQ(bounds(Call::pwrite64, ESPIPE), "7..7");
  EXPECT_EQ(bounds(Call::pwrite64, EINVAL), "7..10");
  EXPECT_EQ(bounds(Call::pwrite64, EFAULT), "7..10");
  EXPECT_EQ(bounds(Call::pwrite64, ENOSPC), "10..10");
}

TEST(KernelBounds, failures_of_the_calls_that_copy_in_the_kernel) {
  EXPECT_EQ(bounds(Call::sendfile, EAGAIN), "10..10");
  EXPECT_EQ(bounds(Call::sendfile, EPIPE), "10..10");
  EXPECT_EQ(bounds(Call::sendfile, EINVAL), "7..10");
  EXPECT_EQ(bounds(Call::copy_file_range, EBADF), "7..7");
  EXPECT_EQ(bounds(Call::copy_file_range, EINVAL), "7..7");
  EXPECT_EQ(bounds(Call::copy_file_range, EXDEV), "7..10");
}

TEST(KernelBounds, a_copy_of_nothing_succeeded_and_is_not_counted) {
  Tally tally;
  calls(tally, Call::copy_file_range) = tally.sizes[0] = 10;
  tally.errors[{Call::copy_file_range, kNothingCopied}] = 3;
  EXPECT_EQ(kernel_bounds(tally).certainly, 7U);
  EXPECT_EQ(kernel_bounds(tally).possibly, 7U);
  EXPECT_EQ(tally.failed_calls(), 0U);
  EXPECT_EQ(tally.unfinished_calls(), 0U);
}

TEST(KernelBounds, failures_of_calls_that_the_kernel_never_counts_change_nothing) {
  for (Call call :
       {Call::sendto, Call::sendmsg, Call::sendmmsg, Call::splice, Call::tee, Call::vmsplice}) {
    for (int error : {EBADF, EPIPE, EINVAL}) EXPECT_EQ(bounds(call, error), "0..0");
  }
}

TEST(KernelBounds, unfinished_calls_are_possible_alone) {
  Tally tally;
  calls(tally, Call::write) = 10;
  tally.sizes[3] = 6;
  EXPECT_EQ(tally.unfinished_calls(), 4U);
  EXPECT_EQ(kernel_bounds(tally).certainly, 6U);
  EXPECT_EQ(kernel_bounds(tally).possibly, 10U);
}

TEST(KernelBounds, never_go_below_zero) {
  Tally tally;
  calls(tally, Call::write) = 1;
  tally.errors[{Call::write, EBADF}] = 100;
  EXPECT_EQ(kernel_bounds(tally).certainly, 0U);
  EXPECT_EQ(kernel_bounds(tally).possibly, 0U);
}

TEST(Tally, calls_are_succeeded_or_failed_or_unfinished) {
  Tally tally;
  calls(tally, Call::write) = 6;
  calls(tally, Call::sendto) = 4;
  tally.sizes[0] = 2;
  tally.sizes[9] = 3;
  tally.errors[{Call::write, EIO}] = 1;
  tally.errors[{Call::sendto, EAGAIN}] = 2;
  EXPECT_EQ(tally.all_calls(), 10U);
  EXPECT_EQ(tally.succeeded_calls(), 5U);
  EXPECT_EQ(tally.failed_calls(), 3U);
  EXPECT_EQ(tally.unfinished_calls(), 2U);
}

TEST(Tally, of_counters_in_use_never_has_more_returns_than_entries) {
  Tally tally;
  calls(tally, Call::write) = 5;
  tally.sizes[0] = 4;
  tally.errors[{Call::write, EIO}] = 9;
  EXPECT_EQ(tally.failed_calls(), 1U);
  EXPECT_EQ(tally.unfinished_calls(), 0U);
  tally.sizes[0] = 6;
  EXPECT_EQ(tally.succeeded_calls(), 5U);
  EXPECT_EQ(tally.failed_calls(), 0U);
  EXPECT_EQ(tally.unfinished_calls(), 0U);
}

TEST(TallySum, adds_every_counter) {
  Tally one;
  one.calls[1] = 1;
  one.bytes = 2;
  one.bytes_not_taken = 3;
  one.short_writes = 4;
  one.newline_terminated = 5;
  one.sizes[6] = 6;
  one.by_buffering[1] = 7;
  one.flush_causes[2] = 8;
  one.stdio_calls = 9;
  one.fflush_calls = 10;
  one.fflush_empty_calls = 11;
  one.errors[{Call::write, EIO}] = 12;
  one.time_ns = 13;
  one.timed_calls = 14;
  one.times[3] = 15;
  Tally sum = one;
  sum.add(one);
  EXPECT_EQ(sum.calls[1], 2U);
  EXPECT_EQ(sum.bytes, 4U);
  EXPECT_EQ(sum.bytes_not_taken, 6U);
  EXPECT_EQ(sum.short_writes, 8U);
  EXPECT_EQ(sum.newline_terminated, 10U);
  EXPECT_EQ(sum.sizes[6], 12U);
  EXPECT_EQ(sum.by_buffering[1], 14U);
  EXPECT_EQ(sum.flush_causes[2], 16U);
  EXPECT_EQ(sum.stdio_calls, 18U);
  EXPECT_EQ(sum.fflush_calls, 20U);
  EXPECT_EQ(sum.fflush_empty_calls, 22U);
  EXPECT_EQ((sum.errors[{Call::write, EIO}]), 24U);
  EXPECT_EQ(sum.time_ns, 26);
  EXPECT_EQ(sum.timed_calls, 28U);
  EXPECT_EQ(sum.times[3], 30U);
}

TEST(TallySum, keeps_the_extremes) {
  Tally small, large, none;
  small.min_bytes_plus_one = 3;
  small.max_bytes = 10;
  small.max_ns = 100;
  large.min_bytes_plus_one = 8;
  large.max_bytes = 90;
  large.max_ns = 40;
  for (bool small_first : {true, false}) {
    Tally sum;
    sum.add(small_first ? small : large);
    sum.add(none);
    sum.add(small_first ? large : small);
    EXPECT_EQ(sum.min_bytes_plus_one, 3U);
    EXPECT_EQ(sum.max_bytes, 90U);
    EXPECT_EQ(sum.max_ns, 100U);
  }
}

TEST(TallySum, of_a_time_that_is_not_known_is_not_known) {
  Tally unknown, sum;
  unknown.time_known = false;
  EXPECT_TRUE(sum.time_known);
  sum.add(unknown);
  sum.add(Tally());
  EXPECT_FALSE(sum.time_known);
}

}  // namespace
}  // namespace iotrace
