// Tests of the timed calls of interpose/record: which calls are timed, and what they stand for. All
// but one on a clock that only the calls themselves turn.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <set>
#include <thread>

#include "interpose/clock.h"
#include "tests/interpose/arena_fixture.h"
#include "tests/interpose/counted_write.h"
#include "tests/interpose/fake_clock.h"

namespace iotrace {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;

class CallTiming : public ArenaTest {
 protected:
  // A call that takes that long.
  void write_taking(uint64_t ns) {
    counted_write(file_, "text\n", [&] {
      clock_->advance(ns);
      return 5L;
    });
  }
  void write_taking(uint64_t ns, int count) {
    for (int i = 0; i < count; ++i) write_taking(ns);
  }
  Tally tally() { return ArenaTest::tally(file_); }

  OpenDescriptor file_{open_temporary_file()};
  std::optional<FakeClock> clock_{std::in_place};
};

TEST_F(CallTiming, off_never_looks_at_the_clock) {
  process.timing = Timing::off;
  write_taking(100);
  uint64_t looks = clock_->looks();
  write_taking(100, 999);
  EXPECT_EQ(clock_->looks(), looks);
  EXPECT_EQ(tally().timed_calls, 0U);
  EXPECT_FALSE(tally().time_known);
  EXPECT_EQ(tally().all_calls(), 1000U);
  EXPECT_EQ(tally().bytes, 5000U);
}

TEST_F(CallTiming, all_times_every_call_once) {
  process.timing = Timing::all;
  uint64_t sum = 0;
  for (uint64_t i = 1; i <= 1000; ++i) {
    write_taking(i);
    sum += i;
  }
  EXPECT_EQ(tally().timed_calls, 1000U);
  EXPECT_EQ(tally().all_calls(), 1000U);
  EXPECT_TRUE(tally().time_known);
  EXPECT_DOUBLE_EQ(tally().time_ns, static_cast<double>(sum));
  EXPECT_EQ(tally().max_ns, 1000U);
}

TEST_F(CallTiming, each_time_is_in_its_bucket_and_the_longest_is_kept) {
  process.timing = Timing::all;
  for (uint64_t ns : {100U, 128U, 129U, 5'000'000U, 7U}) write_taking(ns);
  EXPECT_EQ(tally().times[7], 2U);
  EXPECT_EQ(tally().times[8], 1U);
  EXPECT_EQ(tally().times[23], 1U);
  EXPECT_EQ(tally().times[3], 1U);
  EXPECT_EQ(tally().max_ns, 5'000'000U);
}

TEST_F(CallTiming, the_weights_of_a_sample_sum_up_to_the_calls) {
  process.timing = Timing::sample;
  for (int calls : {1, 10, 100, 1000, 10'000, 100'000}) {
    write_taking(100, calls - static_cast<int>(tally().all_calls()));
    EXPECT_DOUBLE_EQ(tally().time_ns, 100.0 * calls);
    EXPECT_EQ(tally().all_calls(), static_cast<uint64_t>(calls));
  }
}

TEST_F(CallTiming, a_sample_of_a_fast_target_is_small_and_not_periodic) {
  process.timing = Timing::sample;
  std::set<uint64_t> distances;
  uint64_t looks = 0, since = 0;
  for (int i = 0; i < 20'000; ++i) {
    write_taking(100);
    ++since;
    if (clock_->looks() == looks) continue;
    looks = clock_->looks();
    distances.insert(since);
    since = 0;
  }
  EXPECT_GE(tally().timed_calls, 64U);  // the first ones
  EXPECT_LT(tally().timed_calls, 1000U);
  EXPECT_GT(distances.size(), 20U);
}

TEST_F(CallTiming, a_program_that_alternates_two_kinds_of_call_is_estimated_well) {
  process.timing = Timing::sample;
  for (int i = 0; i < 50'000; ++i) {
    write_taking(100);
    write_taking(900);
  }
  EXPECT_NEAR(tally().time_ns, 50'000 * 1000.0, 0.1 * 50'000 * 1000.0);
}

TEST_F(CallTiming, a_sampled_call_that_was_held_up_stands_for_itself_alone) {
  process.timing = Timing::sample;
  write_taking(100, 1000);
  // The clock is looked at before a call that is timed, and at no other.
  bool held_up = false;
  for (int i = 0; i < 10'000; ++i) {
    uint64_t looks = clock_->looks();
    counted_write(file_, "text\n", [&] {
      bool timed = clock_->looks() != looks;
      clock_->advance(timed && !held_up ? kMillisecond : 100);
      held_up |= timed;
      return 5L;
    });
  }
  EXPECT_TRUE(held_up);
  EXPECT_EQ(tally().max_ns, kMillisecond);
  double exact = 10'999 * 100.0 + kMillisecond;
  EXPECT_NEAR(tally().time_ns, exact, 0.1 * exact);
}

TEST_F(CallTiming, a_target_that_has_just_blocked_is_timed_at_every_call_for_a_while) {
  process.timing = Timing::sample;
  write_taking(kMillisecond, 300);
  EXPECT_EQ(tally().timed_calls, 300U);
  write_taking(100, 64);
  EXPECT_GE(tally().timed_calls, 363U);
  write_taking(100, 10'000);
  EXPECT_LT(tally().timed_calls, 1000U);
  EXPECT_NEAR(tally().time_ns, 301e6, 3e6);
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
  write_taking(100, 100);
  process.timing = Timing::off;
  write_taking(100);
  uint64_t timed = tally().timed_calls;
  EXPECT_LE(timed, 101U);
  write_taking(100, 500);
  EXPECT_EQ(tally().timed_calls, timed);
  EXPECT_EQ(tally().all_calls(), 601U);
}

TEST_F(CallTiming, every_stall_of_a_pipe_is_seen_and_none_multiplied) {
  clock_.reset();
  process.timing = Timing::sample;
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  OpenDescriptor reader(ends[0]), writer(ends[1]);
  for (int stall = 0; stall < 5; ++stall) {
    for (int i = 0; i < 1500; ++i) counted_write(writer, "text\n");
    counted_write(writer, "text\n", [] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      return 5L;
    });
  }
  Tally found = ArenaTest::tally(writer);
  EXPECT_EQ(found.all_calls(), 5 * 1501U);
  EXPECT_GE(found.max_ns, 20 * kMillisecond);
  EXPECT_GE(found.time_ns, 5 * 20.0 * kMillisecond);
  // One that stood for a sampled interval would be a hundred times as long.
  EXPECT_LT(found.time_ns, 10 * 5 * 20.0 * kMillisecond);
}

TEST_F(CallTiming, a_call_that_waited_is_timed_from_the_last_look_at_the_clock) {
  process.timing = Timing::sample;
  write_taking(1000);
  CounterBlock& block = *block_of(file_);
  block.timing_mode = TimingMode::watched;
  block.usual_ns = 1000;
  block.interval = 40;
  block.stamped_at = 40;
  block.last_stamp = now_ticks();
  uint64_t before = block.estimated_ns.load();
  // Twenty usual calls, one that waits, and, at once, one more.
  block.until_stamp = 19;
  clock_->advance(20'000 + 5000);
  finish_waited(block);
  EXPECT_EQ(block.estimated_ns.load() - before, 5000U);
  block.until_stamp = 18;
  clock_->advance(3000);
  finish_waited(block);
  EXPECT_EQ(block.estimated_ns.load() - before, 8000U);
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
