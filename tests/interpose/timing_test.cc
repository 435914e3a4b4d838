// Tests of the timed calls of interpose/record: which calls are timed, and what they stand for.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <set>
#include <thread>

#include "tests/interpose/arena_fixture.h"
#include "tests/interpose/counted_write.h"

#include "interpose/clock.h"

namespace iotrace {
namespace {

class CallTiming : public ArenaTest {
 protected:
  void write_times(int fd, int count) {
    for (int i = 0; i < count; ++i) counted_write(fd, "text\n");
  }
  void write_slowly(int count) {
    for (int i = 0; i < count; ++i) {
      counted_write(file_, "text\n", [] {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
        return 5L;
      });
    }
  }
  Tally tally() { return ArenaTest::tally(file_); }
  CounterBlock& block() { return block_for(file_); }

  OpenDescriptor file_{open_temporary_file()};
};

uint64_t timed_calls(const CounterBlock& block) {
  return std::accumulate(std::begin(block.times), std::end(block.times), uint64_t{0},
                         [](uint64_t sum, const Counter& counter) { return sum + counter.load(); });
}

TEST_F(CallTiming, off_times_nothing) {
  process.timing = Timing::off;
  write_times(file_, 1000);
  EXPECT_EQ(tally().timed_calls, 0U);
  EXPECT_FALSE(tally().time_known);
  EXPECT_EQ(tally().all_calls(), 1000U);
  EXPECT_EQ(tally().bytes, 5000U);
}

TEST_F(CallTiming, all_times_every_call_once) {
  process.timing = Timing::all;
  write_times(file_, 1000);
  EXPECT_EQ(tally().timed_calls, 1000U);
  EXPECT_EQ(tally().all_calls(), 1000U);
  EXPECT_TRUE(tally().time_known);
  EXPECT_GE(tally().time_ns, static_cast<double>(tally().max_ns));
  EXPECT_EQ(block().covered_besides.load(), 0U);
}

TEST_F(CallTiming, the_weights_of_a_sample_sum_up_to_the_calls) {
  process.timing = Timing::sample;
  for (uint64_t calls = 1; calls <= 20'000; ++calls) {
    counted_write(file_, "text\n");
    if (calls % 97 != 0) continue;
    const CounterBlock& counters = block();
    uint64_t since_the_last = counters.interval - 1 - static_cast<uint64_t>(counters.countdown);
    ASSERT_EQ(timed_calls(counters) + counters.covered_besides.load() + since_the_last, calls);
  }
  EXPECT_EQ(tally().all_calls(), 20'000U);
}

TEST_F(CallTiming, a_sample_of_a_fast_target_is_small_and_not_periodic) {
  process.timing = Timing::sample;
  std::set<uint64_t> distances;
  uint64_t timed = 0, since = 0;
  CounterBlock& counters = block();
  for (int i = 0; i < 20'000; ++i) {
    counted_write(file_, "text\n");
    ++since;
    if (timed_calls(counters) == timed) continue;
    timed = timed_calls(counters);
    distances.insert(since);
    since = 0;
  }
  EXPECT_GE(timed, 64U);  // the first ones
  EXPECT_LT(timed, 10'000U);
  EXPECT_GT(distances.size(), 20U);
}

TEST_F(CallTiming, of_a_target_that_may_wait_every_call_that_waits_is_timed) {
  process.timing = Timing::sample;
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  OpenDescriptor reader(ends[0]), writer(ends[1]);
  write_times(writer, 1000);
  EXPECT_GE(ArenaTest::tally(writer).timed_calls, 64U);
  constexpr int kWaits = 20;
  constexpr auto kWait = std::chrono::milliseconds(2);
  for (int i = 0; i < kWaits; ++i) {
    write_times(writer, 100);
    counted_write(writer, "x", [&]() -> long {
      std::this_thread::sleep_for(kWait);
      return 1;
    });
  }
  EXPECT_EQ(ArenaTest::tally(writer).all_calls(), 1000U + kWaits * 101U);
  EXPECT_GE(ArenaTest::tally(writer).time_ns, kWaits * 2e6);
}

TEST_F(CallTiming, one_that_has_just_blocked_is_timed_at_every_call_for_a_while) {
  process.timing = Timing::sample;
  write_slowly(300);
  EXPECT_EQ(tally().timed_calls, 300U);
  EXPECT_GE(tally().max_ns, 50'000U);
  write_times(file_, 20'000);
  EXPECT_GE(tally().timed_calls, 364U);
  EXPECT_LT(tally().timed_calls, 10'000U);
}

TEST_F(CallTiming, a_timed_call_that_fails_or_never_returns_is_still_one_call) {
  process.timing = Timing::all;
  failing_write(file_, EIO);
  EXPECT_THROW(counted_write(file_, "x", []() -> long { throw 1; }), int);
  EXPECT_EQ(tally().all_calls(), 2U);
  EXPECT_EQ(tally().timed_calls, 1U);
  EXPECT_EQ(tally().unfinished_calls(), 1U);
}

TEST_F(CallTiming, switched_off_in_the_middle_times_nothing_more) {
  process.timing = Timing::all;
  write_times(file_, 100);
  process.timing = Timing::off;
  write_times(file_, 500);
  EXPECT_EQ(tally().timed_calls, 100U);
  EXPECT_EQ(tally().all_calls(), 600U);
}

// Times are made up by giving finish_timed a start in the past; without a rate, ticks are
// nanoseconds.
constexpr uint64_t kSecond = 1'000'000'000;
uint64_t ago(uint64_t ns) { return now_ticks() - ns; }

TEST_F(CallTiming, a_sampled_call_stands_for_the_calls_of_its_interval) {
  process.timing = Timing::sample;
  for (int i = 0; i < 64; ++i) finish_timed(block(), {&block(), 1, ago(100 * kSecond)});
  EXPECT_GE(block().estimated_ns.load(), 64 * 100 * kSecond);
  finish_timed(block(), {&block(), 50, ago(100 * kSecond)});
  EXPECT_GE(block().estimated_ns.load(), (64 + 50) * 100 * kSecond);
  EXPECT_EQ(timed_calls(block()) + block().covered_besides.load(), 64U + 50U);
}

TEST_F(CallTiming, one_that_was_held_up_stands_for_itself_alone) {
  process.timing = Timing::sample;
  for (int i = 0; i < 64; ++i) finish_timed(block(), {&block(), 1, ago(1000)});
  finish_timed(block(), {&block(), 50, ago(10'000 * kSecond)});
  EXPECT_GE(block().estimated_ns.load(), 10'000 * kSecond);
  EXPECT_LT(block().estimated_ns.load(), 2 * 10'000 * kSecond);
  EXPECT_EQ(timed_calls(block()) + block().covered_besides.load(), 64U + 50U);
}

TEST_F(CallTiming, the_longest_is_kept) {
  finish_timed(block(), {&block(), 1, ago(kSecond)});
  finish_timed(block(), {&block(), 1, ago(1000 * kSecond)});
  finish_timed(block(), {&block(), 1, ago(kSecond)});
  EXPECT_GE(block().max_ns, 1000 * kSecond);
  EXPECT_EQ(timed_calls(block()), 3U);
  EXPECT_EQ(block().times[bucket_of(1000 * kSecond, kTimeBuckets)].load(), 1U);
}

TEST_F(CallTiming, ticks_become_nanoseconds_at_the_rate_measured) {
  process.ns_per_tick_q32 = uint64_t{1} << 31;
  EXPECT_EQ(ticks_to_ns(1000), 500U);
  EXPECT_EQ(ticks_to_ns(uint64_t{1} << 62), uint64_t{1} << 61);
  process.ns_per_tick_q32 = 0;
  EXPECT_EQ(ticks_to_ns(1000), 1000U);
}

}  // namespace
}  // namespace iotrace
