// Tests of interpose/arena_map: only an arena that is understood in every field is mapped, and no
// descriptor stays open.
#include "interpose/arena_map.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <functional>

#include "interpose/process.h"
#include "tests/interpose/arena_fixture.h"

namespace iotrace {
namespace {

class ArenaMap : public testing::Test {
 protected:
  void SetUp() override { process = Process(); }
  void TearDown() override {
    if (mapped_ != nullptr) munmap(mapped_, size_);
    process = Process();
  }

  ArenaHeader* map(uint64_t nonce = ArenaMemory::kNonce) {
    return mapped_ = map_arena(arena_.path().c_str(), nonce);
  }

  ArenaMemory arena_;
  ArenaHeader* mapped_ = nullptr;
  uint64_t size_ = kArenaSize;
};

int lowest_free_descriptor() {
  int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  close(fd);
  return fd;
}

TEST_F(ArenaMap, maps_the_memory_that_the_launcher_sees) {
  int before = lowest_free_descriptor();
  ASSERT_NE(map(), nullptr);
  EXPECT_EQ(process.base, reinterpret_cast<char*>(mapped_));
  EXPECT_FALSE(is_narrow_window());
  process.base[segment_offset(7)] = 'x';
  EXPECT_EQ(arena_.base()[segment_offset(7)], 'x');
  EXPECT_EQ(lowest_free_descriptor(), before);
}

TEST_F(ArenaMap, refuses_another_nonce) { EXPECT_EQ(map(ArenaMemory::kNonce + 1), nullptr); }

TEST_F(ArenaMap, refuses_what_it_does_not_understand) {
  const std::function<void(ArenaHeader&)> damages[] = {
      [](ArenaHeader& header) { header.magic ^= 1; },
      [](ArenaHeader& header) { ++header.version; },
      [](ArenaHeader& header) { ++header.header_size; },
      [](ArenaHeader& header) { header.arena_size -= kSegmentSize; },
  };
  const ArenaHeader sound = arena_.header();
  for (const auto& damage : damages) {
    damage(arena_.header());
    EXPECT_EQ(map(), nullptr);
    arena_.header() = sound;
  }
  EXPECT_NE(map(), nullptr);
}

TEST_F(ArenaMap, refuses_a_file_of_another_size) {
  ASSERT_EQ(ftruncate(arena_.fd(), static_cast<off_t>(kArenaSize - kSegmentSize)), 0);
  EXPECT_EQ(map(), nullptr);
}

TEST_F(ArenaMap, takes_one_that_was_made_smaller_on_purpose) {
  ArenaMemory smaller(kSmallestArenaSize);
  mapped_ = map_arena(smaller.path().c_str(), ArenaMemory::kNonce);
  ASSERT_NE(mapped_, nullptr);
  size_ = kSmallestArenaSize;
  process.base[kSmallestArenaSize - 1] = 'x';
  EXPECT_EQ(smaller.base()[kSmallestArenaSize - 1], 'x');
  ArenaMemory too_small(kSmallestArenaSize - kSegmentSize);
  EXPECT_EQ(map_arena(too_small.path().c_str(), ArenaMemory::kNonce), nullptr);
}

TEST_F(ArenaMap, refuses_what_is_no_file) {
  EXPECT_EQ(map_arena("/dev/zero", ArenaMemory::kNonce), nullptr);
  EXPECT_EQ(map_arena("/nowhere/arena", ArenaMemory::kNonce), nullptr);
  EXPECT_EQ(map_arena(std::string(kPathCapacity, 'x').c_str(), ArenaMemory::kNonce), nullptr);
}

TEST_F(ArenaMap, with_limited_address_space_maps_one_segment) {
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  // Any limit counts: this one leaves the test, and a sanitizer's shadow, their room.
  rlimit limited = {rlim_t{1} << 60, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &limited), 0);
  size_ = kSegmentsOffset;
  EXPECT_NE(map(), nullptr);
  EXPECT_TRUE(is_narrow_window());
  EXPECT_EQ(process.base, nullptr);
  EXPECT_TRUE(map_segment(5));
  ASSERT_NE(process.base, nullptr);
  process.base[segment_offset(5)] = 'x';
  EXPECT_EQ(arena_.base()[segment_offset(5)], 'x');
  munmap(process.base + segment_offset(5), kSegmentSize);
  EXPECT_EQ(setrlimit(RLIMIT_AS, &before), 0);
}

TEST_F(ArenaMap, otherwise_every_segment_is_there) {
  ASSERT_NE(map(), nullptr);
  char* base = process.base;
  EXPECT_TRUE(map_segment(5));
  EXPECT_EQ(process.base, base);
}

}  // namespace
}  // namespace iotrace
