// Tests of interpose/shared/arena: the buckets, the addresses and the words that both sides share.
// What the compiler can check stands in arena.h itself.
#include "interpose/shared/arena.h"

#include <gtest/gtest.h>

#include <cstring>
#include <iterator>
#include <set>
#include <string>

#include "tests/interpose/arena_memory.h"

namespace iotrace {
namespace {

TEST(SizeBuckets, each_ends_at_a_power_of_two_inclusively) {
  EXPECT_EQ(size_bucket(1), 0U);
  for (unsigned bucket = 1; bucket < kSizeBuckets - 1; ++bucket) {
    uint64_t end = uint64_t{1} << bucket;
    EXPECT_EQ(size_bucket(end), bucket);
    EXPECT_EQ(size_bucket(end + 1), bucket + 1);
    EXPECT_EQ(bucket_of(end, kSizeBuckets), bucket);
    EXPECT_EQ(bucket_of(end + 1, kSizeBuckets), bucket + 1);
  }
}

TEST(SizeBuckets, hold_every_size) {
  EXPECT_EQ(bucket_of(0, kSizeBuckets), 0U);
  EXPECT_EQ(bucket_of(UINT64_MAX, kSizeBuckets), kSizeBuckets - 1);
}

TEST(TimeBuckets, the_last_takes_everything_longer) {
  EXPECT_EQ(bucket_of(0, kTimeBuckets), 0U);
  EXPECT_EQ(bucket_of(1, kTimeBuckets), 0U);
  EXPECT_EQ(bucket_of(uint64_t{1} << 39, kTimeBuckets), 39U);
  EXPECT_EQ(bucket_of((uint64_t{1} << 39) + 1, kTimeBuckets), 40U);
  EXPECT_EQ(bucket_of(uint64_t{1} << 41, kTimeBuckets), 40U);
  EXPECT_EQ(bucket_of(UINT64_MAX, kTimeBuckets), 40U);
}

TEST(ErrorKey, no_pair_is_zero_and_no_two_are_equal) {
  std::set<uint32_t> keys;
  for (unsigned call = 0; call < kCallCount; ++call) {
    for (int error = 0; error < 200; ++error)
      keys.insert(error_key(static_cast<Call>(call), error));
  }
  EXPECT_EQ(keys.size(), kCallCount * 200U);
  EXPECT_FALSE(keys.contains(0));
}

TEST(Names, there_is_one_for_every_value) {
  EXPECT_STREQ(kCallNames[static_cast<int>(Call::write)], "write");
  EXPECT_STREQ(kCallNames[static_cast<int>(Call::vmsplice)], "vmsplice");
  EXPECT_EQ(static_cast<unsigned>(Call::vmsplice) + 1, kCallCount);
  EXPECT_EQ(std::size(kFlushCauseNames), kFlushCauseCount);
  EXPECT_STREQ(kFlushCauseNames[static_cast<int>(FlushCause::other)], "other");
  EXPECT_EQ(std::size(kBufferingNames), kBufferingCount);
  EXPECT_STREQ(kBufferingNames[static_cast<int>(Buffering::unbuffered)], "unbuffered");
  EXPECT_STREQ(kTargetKindNames[static_cast<int>(TargetKind::other)], "other");
  EXPECT_EQ(std::size(kTargetKindNames), static_cast<size_t>(TargetKind::other) + 1);
  EXPECT_STREQ(kStreamNames[static_cast<int>(Stream::other)], "other");
  EXPECT_STREQ(kCountingNames[static_cast<int>(Counting::musl)], "musl");
  EXPECT_EQ(std::size(kCountingNames), static_cast<size_t>(Counting::musl) + 1);
  EXPECT_STREQ(kNotInstrumentedNames[static_cast<int>(NotInstrumented::not_followed)],
               "not followed");
  EXPECT_EQ(std::size(kNotInstrumentedNames),
            static_cast<size_t>(NotInstrumented::not_followed) + 1);
}

TEST(CallsInSyscw, are_those_that_the_kernel_counts) {
  std::set<std::string> counted;
  for (unsigned i = 0; i < kCallCount; ++i) {
    if (kCallInSyscw[i]) counted.insert(kCallNames[i]);
  }
  EXPECT_EQ(counted, (std::set<std::string>{"write", "writev", "pwrite64", "pwritev", "pwritev2",
                                            "sendfile", "copy_file_range"}));
}

TEST(Layout, slots_and_segments_do_not_overlap_and_fill_the_arena) {
  EXPECT_LE(sizeof(ArenaHeader), kSlotsOffset);
  EXPECT_GE(kSegmentsOffset, kSlotsOffset + uint64_t{kSlotCount} * sizeof(Slot));
  EXPECT_EQ(segment_offset(1), kSegmentsOffset);
  EXPECT_EQ(segment_offset(2), kSegmentsOffset + kSegmentSize);
  EXPECT_EQ(segment_offset(kSegmentCount) + kSegmentSize, kArenaSize);
}

TEST(Layout, the_largest_thing_fits_into_a_segment_beside_the_image) {
  for (size_t size : {sizeof(Lane), sizeof(CounterBlock), sizeof(RecordPage), sizeof(Announcement),
                      sizeof(PathText) + kPathCapacity}) {
    EXPECT_LE(align_up(sizeof(ImageRecord), kRefUnit) + size, kSegmentSize);
  }
}

TEST(Ref, leads_back_to_the_offset_it_was_made_of) {
  for (uint64_t offset : {kSegmentsOffset, kSegmentsOffset + kRefUnit, kArenaSize - kRefUnit}) {
    EXPECT_EQ(offset_of_ref(ref_of_offset(offset)), offset);
    EXPECT_NE(ref_of_offset(offset), 0U);
  }
}

TEST(Ref, is_relative_to_the_base_given) {
  alignas(64) char memory[256] = {};
  EXPECT_EQ(at<char>(static_cast<void*>(memory), 2), memory + 2 * kRefUnit);
  EXPECT_EQ(at<char>(static_cast<const void*>(memory), 3), memory + 3 * kRefUnit);
}

TEST(AlignUp, leaves_what_is_aligned) {
  EXPECT_EQ(align_up(0, 64), 0U);
  EXPECT_EQ(align_up(1, 64), 64U);
  EXPECT_EQ(align_up(64, 64), 64U);
  EXPECT_EQ(align_up(65, 64), 128U);
}

TEST(SlotState, changes_only_from_the_state_expected) {
  Slot slot = {};
  EXPECT_EQ(state_of(slot), SlotState::unused);
  EXPECT_FALSE(change_state(slot, SlotState::announced, SlotState::attaching));
  EXPECT_EQ(state_of(slot), SlotState::unused);
  set_state(slot, SlotState::announced);
  EXPECT_TRUE(change_state(slot, SlotState::announced, SlotState::attaching));
  EXPECT_EQ(state_of(slot), SlotState::attaching);
  EXPECT_FALSE(change_state(slot, SlotState::announced, SlotState::attaching));
}

TEST(Arena, a_new_one_says_nothing_yet) {
  ArenaMemory arena;
  EXPECT_EQ(state_of(arena.slot(0)), SlotState::unused);
  EXPECT_EQ(state_of(arena.slot(kSlotCount - 1)), SlotState::unused);
  EXPECT_EQ(static_cast<int>(Buffering::none), 0);
  EXPECT_EQ(static_cast<int>(Origin::unknown), 0);
}

}  // namespace
}  // namespace iotrace
