// Tests of interpose/lanes: one lane per living thread, and their number bounded by that of the
// threads that live at once.
#include "interpose/lanes.h"

#include <gtest/gtest.h>

#include <barrier>
#include <set>
#include <thread>

#include "interpose/memory.h"
#include "interpose/raw.h"
#include "interpose/record.h"
#include "interpose/records.h"
#include "tests/interpose/arena_fixture.h"

namespace iotrace {
namespace {

using Lanes = ArenaTest;

// A thread that can be joined is not gone yet: the kernel says so a little later.
void wait_until_gone(int tid) {
  while (raw::thread_exists(process.pid, tid)) std::this_thread::yield();
}

// Runs `count` threads at once, each with a lane, and returns their lanes when all are gone.
std::vector<Lane*> lanes_of_threads(int count) {
  std::vector<Lane*> lanes(static_cast<size_t>(count));
  std::vector<int> tids(lanes.size());
  std::barrier all_have_one(count);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < lanes.size(); ++i) {
    threads.emplace_back([&, i] {
      lanes[i] = current_lane();
      tids[i] = raw::gettid();
      all_have_one.arrive_and_wait();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int tid : tids) wait_until_gone(tid);
  return lanes;
}

TEST_F(Lanes, a_thread_keeps_its_lane) {
  Lane* lane = current_lane();
  ASSERT_NE(lane, nullptr);
  EXPECT_EQ(lane->tid, raw::gettid());
  EXPECT_NE(lane->random, 0U);
  EXPECT_EQ(current_lane(), lane);
  EXPECT_EQ(iotrace_thread.blocks, lane->blocks);
  EXPECT_EQ(lanes().size(), 1U);
  EXPECT_EQ(image().threads, 1U);
}

TEST_F(Lanes, living_threads_have_one_each) {
  Lane* own = current_lane();
  std::vector<Lane*> others = lanes_of_threads(20);
  std::set<Lane*> distinct(others.begin(), others.end());
  distinct.insert(own);
  EXPECT_EQ(distinct.size(), 21U);
  EXPECT_FALSE(distinct.contains(nullptr));
  EXPECT_EQ(lanes().size(), 21U);
  EXPECT_EQ(image().threads, 21U);
}

TEST_F(Lanes, that_of_a_dead_thread_is_taken_over_with_its_counts) {
  Lane* own = current_lane();
  Lane* first = lanes_of_threads(1)[0];
  first->blocks[3] = 77;
  Lane* second = lanes_of_threads(1)[0];
  EXPECT_EQ(second, first);
  EXPECT_NE(second, own);
  EXPECT_EQ(second->blocks[3], 77U);
  EXPECT_EQ(lanes().size(), 2U);
  EXPECT_EQ(image().threads, 3U);
}

TEST_F(Lanes, that_of_a_dead_thread_with_the_same_number_is_taken_over) {
  Lane* before = current_lane();
  iotrace_thread = ThreadState();
  EXPECT_EQ(current_lane(), before);
  EXPECT_EQ(lanes().size(), 1U);
}

TEST_F(Lanes, ten_thousand_short_threads_need_no_more_than_live_at_once) {
  for (int i = 0; i < 2500; ++i) lanes_of_threads(4);
  EXPECT_LE(lanes().size(), 4U);
  EXPECT_EQ(image().threads, 10000U);
}

TEST_F(Lanes, a_search_goes_on_where_the_last_one_stopped) {
  lanes_of_threads(12);
  std::vector<Lane*> all = lanes();
  // Now the first eleven of the list belong to a thread that lives.
  for (size_t i = 0; i + 1 < all.size(); ++i) all[i]->tid = process.pid;
  image().takeover_cursor = 0;
  // A search makes eight probes, so the second one gets there.
  Lane* first = lanes_of_threads(1)[0];
  EXPECT_EQ(lanes().front(), first);
  EXPECT_EQ(lanes_of_threads(1)[0], all.back());
  EXPECT_EQ(lanes().size(), 13U);
}

TEST_F(Lanes, of_a_frozen_image_are_not_taken_over) {
  lanes_of_threads(1);
  image().flags |= kImageFrozen;
  Lane* lane = current_lane();
  ASSERT_NE(lane, nullptr);
  EXPECT_EQ(lanes().size(), 2U);
}

TEST_F(Lanes, the_child_of_a_vfork_uses_its_parents) {
  Lane* lane = current_lane();
  iotrace_thread.in_vfork_child = kInVforkChild;
  EXPECT_EQ(current_lane(), lane);
  EXPECT_EQ(lanes().size(), 1U);
}

TEST_F(Lanes, the_child_of_a_vfork_whose_parent_has_none_leaves_it_without_one) {
  iotrace_thread.in_vfork_child = kInVforkChild;
  Lane* lane = current_lane();
  ASSERT_NE(lane, nullptr);
  EXPECT_EQ(current_lane(), lane);
  iotrace_thread.in_vfork_child = 0;
  EXPECT_EQ(iotrace_thread.blocks, iotrace_no_blocks);
  EXPECT_NE(iotrace_thread.generation, *process.generation);
  EXPECT_EQ(image().threads, 0U);
  EXPECT_NE(current_lane(), nullptr);
  EXPECT_EQ(image().threads, 1U);
}

TEST_F(Lanes, without_an_arena_or_room_there_are_none) {
  leave_room(0);
  while (allocate(kRefUnit) != 0) {
  }
  EXPECT_EQ(current_lane(), nullptr);
  process.image = nullptr;
  EXPECT_EQ(current_lane(), nullptr);
  process.header = nullptr;
  EXPECT_EQ(current_lane(), nullptr);
}

TEST_F(Lanes, have_one_block_for_each_record) {
  OpenDescriptor null(open_null_device()), file(open_temporary_file());
  unsigned for_null = find_or_make_record(null, Origin::elsewhere, status_of(null));
  unsigned for_file = find_or_make_record(file, Origin::elsewhere, status_of(file));
  Lane* lane = current_lane();
  process.slot = 5;
  CounterBlock* block = block_in_lane(lane, for_null);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(block_in_lane(lane, for_null), block);
  EXPECT_NE(block_in_lane(lane, for_file), block);
  EXPECT_EQ(in_image<DescriptorRecord>(block->record), record_at(for_null));
  EXPECT_EQ(block->owner_slot, 5U);
  EXPECT_EQ(lane->blocks[0], 0U);
}

}  // namespace
}  // namespace iotrace
