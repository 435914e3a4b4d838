// Tests of cli/snapshot: what each counter of an arena becomes.
#include <gtest/gtest.h>

#include <cerrno>

#include "cli/snapshot.h"
#include "tests/cli/arena_contents.h"

namespace iotrace {
namespace {

class SnapshotCounters : public testing::Test {
 protected:
  Tally only_tally() { return take_snapshot(arena_.base()).images.at(0).records.at(0).tally; }
  CounterBlock& add_one_block(uint64_t calls) {
    ImageRecord& image = arena_.add_image(0, 1);
    arena_.add_record(image, 0).fd = 1;
    return arena_.add_block(arena_.add_lane(image), 0, calls);
  }
  ArenaContents arena_;
};

TEST_F(SnapshotCounters, what_the_other_calls_leave_of_all_are_writes) {
  CounterBlock& block = add_one_block(0);
  block.granted.value = 100;
  block.countdown = 60;
  block.calls[static_cast<unsigned>(Call::sendto)].value = 15;
  Tally tally = only_tally();
  EXPECT_EQ(tally.all_calls(), 40U);
  EXPECT_EQ(tally.calls[static_cast<unsigned>(Call::write)], 25U);
  EXPECT_EQ(tally.calls[static_cast<unsigned>(Call::sendto)], 15U);
}

TEST_F(SnapshotCounters, a_countdown_below_zero_counts_on) {
  CounterBlock& block = add_one_block(0);
  block.granted.value = 10;
  block.countdown = -5;
  EXPECT_EQ(only_tally().all_calls(), 15U);
}

TEST_F(SnapshotCounters, sizes_with_and_without_newline_are_one_histogram) {
  CounterBlock& block = add_one_block(9);
  block.sizes[4][0].value = 2;
  block.sizes[4][1].value = 3;
  block.sizes[7][1].value = 4;
  Tally tally = only_tally();
  EXPECT_EQ(tally.sizes[4], 5U);
  EXPECT_EQ(tally.sizes[7], 4U);
  EXPECT_EQ(tally.newline_terminated, 7U);
}

TEST_F(SnapshotCounters, every_counter_has_its_place) {
  CounterBlock& block = add_one_block(9);
  block.bytes.value = 1;
  block.bytes_not_taken.value = 2;
  block.short_writes.value = 3;
  block.min_bytes_plus_one = 4;
  block.max_bytes = 5;
  block.by_buffering[2].value = 6;
  block.flush_causes[3].value = 7;
  block.stdio_calls.value = 8;
  block.fflush_calls.value = 9;
  block.fflush_empty_calls.value = 10;
  block.max_ns = 11;
  Tally tally = only_tally();
  EXPECT_EQ(tally.bytes, 1U);
  EXPECT_EQ(tally.bytes_not_taken, 2U);
  EXPECT_EQ(tally.short_writes, 3U);
  EXPECT_EQ(tally.min_bytes_plus_one, 4U);
  EXPECT_EQ(tally.max_bytes, 5U);
  EXPECT_EQ(tally.by_buffering[2], 6U);
  EXPECT_EQ(tally.flush_causes[3], 7U);
  EXPECT_EQ(tally.stdio_calls, 8U);
  EXPECT_EQ(tally.fflush_calls, 9U);
  EXPECT_EQ(tally.fflush_empty_calls, 10U);
  EXPECT_EQ(tally.max_ns, 11U);
}

TEST_F(SnapshotCounters, errors_are_read_from_every_block) {
  CounterBlock& block = add_one_block(20);
  ErrorBlock& first = arena_.make<ErrorBlock>(&block.errors);
  ErrorBlock& second = arena_.make<ErrorBlock>(&first.next);
  first.entries[6] = {error_key(Call::write, EIO), 0, {3}};
  second.entries[0] = {error_key(Call::vmsplice, EAGAIN), 0, {4}};
  EXPECT_EQ(only_tally().errors,
            (decltype(Tally::errors){{{Call::write, EIO}, 3}, {{Call::vmsplice, EAGAIN}, 4}}));
}

TEST_F(SnapshotCounters, the_time_is_extended_to_calls_that_no_estimate_covers) {
  CounterBlock& block = add_one_block(40);
  block.times[5].value = 2;
  block.covered_besides.value = 18;
  block.estimated_ns.value = 2000;
  block.usual_ns = 150;
  Tally tally = only_tally();
  EXPECT_EQ(tally.timed_calls, 2U);
  EXPECT_TRUE(tally.time_known);
  EXPECT_DOUBLE_EQ(tally.time_ns, 2000 + 20 * 150);
}

TEST_F(SnapshotCounters, without_timed_calls_the_time_is_not_known) {
  add_one_block(40);
  EXPECT_FALSE(only_tally().time_known);
}

}  // namespace
}  // namespace iotrace
