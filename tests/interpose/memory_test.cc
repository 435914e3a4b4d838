// Tests of interpose/memory: what the bump allocator hands out, and what it does when nothing is
// left.
#include "interpose/memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <thread>

#include "interpose/image.h"
#include "tests/interpose/arena_fixture.h"

namespace iotrace {
namespace {

using Memory = ArenaTest;

uint64_t segment_of(Ref ref) { return (offset_of_ref(ref) - kSegmentsOffset) / kSegmentSize; }

bool is_zero(const char* bytes, size_t size) {
  return std::all_of(bytes, bytes + size, [](char byte) { return byte == 0; });
}

TEST_F(Memory, is_aligned_and_zeroed_and_follows_what_was_there) {
  Ref first = allocate(1);
  Ref second = allocate(65);
  Ref third = allocate(64);
  EXPECT_EQ(offset_of_ref(first), segment_offset(1) + align_up(sizeof(ImageRecord), kRefUnit));
  EXPECT_EQ(second, first + 1);
  EXPECT_EQ(third, second + 2);
  EXPECT_TRUE(is_zero(in_image<char>(first), 256));
  EXPECT_EQ(ref_in_image(in_image<char>(second)), second);
}

TEST_F(Memory, goes_on_in_another_segment_and_never_across_the_boundary) {
  std::map<uint64_t, unsigned> per_segment;
  for (int i = 0; i < 60; ++i) {
    Ref ref = allocate(5000);
    ASSERT_NE(ref, 0U);
    uint64_t within =
        offset_of_ref(ref) - segment_offset(static_cast<uint32_t>(segment_of(ref)) + 1);
    EXPECT_LE(within + 5000, kSegmentSize);
    ++per_segment[segment_of(ref)];
    memset(in_image<char>(ref), 'x', 5000);
  }
  EXPECT_GE(per_segment.size(), 5U);
  // 5000 bytes take 5056: twelve of them fill a segment.
  EXPECT_EQ(per_segment[1], 12U);
}

TEST_F(Memory, what_fits_exactly_is_handed_out) {
  image().allocation = uint64_t{1} << 32 | (kSegmentSize - 128);
  EXPECT_EQ(offset_of_ref(allocate(128)), segment_offset(2) - 128);
  EXPECT_EQ(offset_of_ref(allocate(64)), segment_offset(2));
}

TEST_F(Memory, a_full_arena_gives_none) {
  leave_room(1);
  int handed_out = 0;
  while (allocate(4096) != 0) ++handed_out;
  // Fifteen behind the image, sixteen in the last segment.
  EXPECT_EQ(handed_out, 31);
  EXPECT_EQ(allocate(4096), 0U);
  EXPECT_EQ(header().next_segment, kSegmentCount);
}

TEST_F(Memory, segments_are_numbered_to_the_last_and_no_further) {
  leave_room(2);
  EXPECT_EQ(take_segment(&header()), kSegmentCount - 1);
  EXPECT_EQ(take_segment(&header()), kSegmentCount);
  EXPECT_EQ(take_segment(&header()), 0U);
  EXPECT_EQ(take_segment(&header()), 0U);
  EXPECT_EQ(header().next_segment, kSegmentCount);
}

TEST_F(Memory, a_smaller_arena_has_fewer_segments) {
  header().arena_size = kSmallestArenaSize;
  uint32_t last = 0;
  while (uint32_t segment = take_segment(&header())) last = segment;
  EXPECT_EQ(segment_offset(last) + kSegmentSize, kSmallestArenaSize);
}

TEST_F(Memory, a_narrow_window_has_one_segment) {
  image().flags |= kImageNarrowWindow;
  while (allocate(4096) != 0) {
  }
  EXPECT_EQ(header().next_segment, 1U);
}

TEST_F(Memory, a_frozen_image_gets_what_is_on_a_page_that_it_has) {
  Ref before = allocate(64);
  ASSERT_NE(before, 0U);
  image().flags |= kImageFrozen;
  EXPECT_EQ(allocate(64), before + 1);
  EXPECT_EQ(allocate(8192), 0U);
}

TEST_F(Memory, nothing_is_handed_out_twice) {
  constexpr int kThreads = 4, kEach = 1500;
  std::vector<Ref> refs[kThreads];
  auto take = [&refs](int number) {
    for (int i = 0; i < kEach; ++i) {
      Ref ref = allocate(192);
      if (ref == 0 || !is_zero(in_image<char>(ref), 192)) break;
      memset(in_image<char>(ref), 'a' + number, 192);
      refs[number].push_back(ref);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(take, i);
  for (std::thread& thread : threads) thread.join();

  std::vector<Ref> all;
  for (int i = 0; i < kThreads; ++i) {
    EXPECT_EQ(refs[i].size(), static_cast<size_t>(kEach));
    for (Ref ref : refs[i]) {
      const char* bytes = in_image<char>(ref);
      EXPECT_TRUE(std::all_of(bytes, bytes + 192, [i](char byte) { return byte == 'a' + i; }));
      all.push_back(ref);
    }
  }
  std::sort(all.begin(), all.end());
  for (size_t i = 1; i < all.size(); ++i) EXPECT_GE(all[i] - all[i - 1], 3U);
}

TEST_F(Memory, a_slot_is_filled_once) {
  Ref slot = 0;
  CounterBlock* first = get_or_allocate<CounterBlock>(&slot);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(ref_in_image(first), slot);
  EXPECT_EQ(get_or_allocate<CounterBlock>(&slot), first);
}

TEST_F(Memory, a_slot_stays_empty_when_there_is_no_room) {
  leave_room(0);
  while (allocate(kRefUnit) != 0) {
  }
  Ref slot = 0;
  EXPECT_EQ(get_or_allocate<CounterBlock>(&slot), nullptr);
  EXPECT_EQ(slot, 0U);
}

TEST_F(Memory, the_probe_touches_no_byte_before_its_range) {
  char* page = arena().base() + segment_offset(9);
  memset(page, 'x', 64);
  EXPECT_TRUE(make_present(page + 64, 64));
  EXPECT_EQ(std::string(page, 64), std::string(64, 'x'));
  EXPECT_TRUE(is_zero(page + 64, 64));
  EXPECT_TRUE(make_present(page + 64, 3 * 4096));
  EXPECT_EQ(std::string(page, 64), std::string(64, 'x'));
}

// A page beyond a file's end is like one that a full file system cannot provide: touching it raises
// SIGBUS.
TEST_F(Memory, pages_that_cannot_be_had_are_an_error_and_no_signal) {
  OpenDescriptor file(memfd_create("short", MFD_CLOEXEC));
  ASSERT_EQ(ftruncate(file, 4096), 0);
  void* start = mmap(nullptr, 3 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ASSERT_NE(start, MAP_FAILED);
  char* pages = static_cast<char*>(start);
  EXPECT_TRUE(make_present(pages, 4096));
  EXPECT_FALSE(make_present(pages, 2 * 4096));
  EXPECT_FALSE(make_present(pages + 4096, 64));
  EXPECT_FALSE(make_present(pages + 4096 - 64, 128));
  munmap(start, 3 * 4096);
}

}  // namespace
}  // namespace iotrace
