// Tests of cli/snapshot: what is read from an arena in order.
#include "cli/snapshot.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/arena_contents.h"

namespace iotrace {
namespace {

using Words = std::vector<std::string>;
using Slots = std::vector<uint32_t>;

class SnapshotTest : public testing::Test {
 protected:
  ImageSnapshot only_image() {
    Snapshot snapshot = take_snapshot(arena_.base());
    EXPECT_EQ(snapshot.images.size(), 1U);
    return snapshot.images.at(0);
  }
  ArenaContents arena_;
};

TEST_F(SnapshotTest, of_an_empty_arena_has_the_streams_alone) {
  arena_.header().streams[1].open = 1;
  arena_.header().streams[1].ino = 77;
  arena_.header().overflow_calls = 5;
  arena_.header().failed_attaches = 2;
  Snapshot snapshot = take_snapshot(arena_.base());
  EXPECT_TRUE(snapshot.images.empty());
  EXPECT_EQ(snapshot.streams[0].open, 0U);
  EXPECT_EQ(snapshot.streams[1].ino, 77U);
  EXPECT_EQ(snapshot.overflow_calls, 5U);
  EXPECT_EQ(snapshot.failed_attaches, 2U);
}

TEST_F(SnapshotTest, describes_an_image) {
  ImageRecord& image = arena_.add_image(3, 4242);
  image.parent_slot_plus_one = 2;
  image.predecessor_slot_plus_one = 3;
  image.flags = kImageForkedCopy;
  image.counting = Counting::stdio_table;
  image.started_ns = 99;
  image.threads = 7;
  image.overflow_calls = 11;
  memcpy(image.command, "cc\0-x\0\0", 7);
  image.command_length = 7;
  memcpy(image.executable, "/bin/cc", 7);
  image.executable_length = 7;
  ImageSnapshot found = only_image();
  EXPECT_EQ(found.slot, 3U);
  EXPECT_TRUE(found.attached);
  EXPECT_EQ(found.parent, 1U);
  EXPECT_EQ(found.predecessor, 2U);
  EXPECT_EQ(found.pid, 4242);
  EXPECT_EQ(found.flags, kImageForkedCopy);
  EXPECT_EQ(found.counting, Counting::stdio_table);
  EXPECT_EQ(found.started_ns, 99U);
  EXPECT_EQ(found.threads, 7U);
  EXPECT_EQ(found.overflow_calls, 11U);
  EXPECT_EQ(found.command, (Words{"cc", "-x", ""}));
  EXPECT_FALSE(found.command_truncated);
  EXPECT_EQ(found.executable, "/bin/cc");
}

TEST_F(SnapshotTest, describes_a_record) {
  ImageRecord& image = arena_.add_image(0, 1);
  Lane& lane = arena_.add_lane(image);
  DescriptorRecord& record = arena_.add_record(image, 20);
  record.fd = 5;
  record.ino = 9;
  record.stream = Stream::err;
  record.kind = TargetKind::socket;
  record.path = arena_.add_path("socket:[9]");
  record.stdio_mode = static_cast<uint32_t>(Buffering::line);
  record.buffer_bytes = 1024;
  record.unflushed_bytes = 13;
  record.stdio_inexact = 1;
  record.merged_descriptors = 4;
  arena_.add_block(lane, 20, 2);
  const ImageSnapshot image_found = only_image();
  ASSERT_EQ(image_found.records.size(), 1U);
  const RecordSnapshot& found = image_found.records[0];
  EXPECT_EQ(found.fd, 5);
  EXPECT_TRUE(found.has_target);
  EXPECT_EQ(found.stream, Stream::err);
  EXPECT_EQ(found.kind, TargetKind::socket);
  EXPECT_EQ(found.path, "socket:[9]");
  EXPECT_EQ(found.stdio_mode, Buffering::line);
  EXPECT_EQ(found.buffer_bytes, 1024U);
  EXPECT_EQ(found.unflushed_bytes, 13U);
  EXPECT_TRUE(found.stdio_inexact);
  EXPECT_EQ(found.merged_descriptors, 4U);
  EXPECT_EQ(found.tally.all_calls(), 2U);
}

TEST_F(SnapshotTest, records_that_are_not_ready_or_not_counted_on_are_left_out) {
  ImageRecord& image = arena_.add_image(0, 1);
  Lane& lane = arena_.add_lane(image);
  arena_.add_record(image, 0);
  arena_.add_record(image, 1).ready = 0;
  arena_.add_block(lane, 1, 2);
  EXPECT_TRUE(only_image().records.empty());
}

TEST_F(SnapshotTest, the_lanes_of_an_image_are_summed_up_by_record) {
  ImageRecord& image = arena_.add_image(0, 1);
  Lane& first = arena_.add_lane(image);
  Lane& second = arena_.add_lane(image);
  arena_.add_record(image, 0).fd = 1;
  arena_.add_record(image, kMaxRecords - 1).fd = -1;
  arena_.add_block(first, 0, 10).bytes.value = 100;
  arena_.add_block(second, 0, 5).bytes.value = 50;
  arena_.add_block(second, kMaxRecords - 1, 3);
  ImageSnapshot found = only_image();
  ASSERT_EQ(found.records.size(), 2U);
  EXPECT_EQ(found.records[0].tally.all_calls(), 15U);
  EXPECT_EQ(found.records[0].tally.bytes, 150U);
  EXPECT_EQ(found.records[1].fd, -1);
  EXPECT_EQ(found.records[1].tally.all_calls(), 3U);
}

TEST_F(SnapshotTest, an_exec_that_nobody_answered_is_an_image_too) {
  Announcement& spawned = arena_.add_announcement(4, 99);
  spawned.announcer_slot_plus_one = 3;
  spawned.expected_reason = NotInstrumented::static_program;
  memcpy(spawned.command, "prog\0", 5);
  spawned.command_length = 5;
  ImageSnapshot found = only_image();
  EXPECT_FALSE(found.attached);
  EXPECT_EQ(found.slot, 4U);
  EXPECT_EQ(found.pid, 99);
  EXPECT_EQ(found.parent, 2U);
  EXPECT_EQ(found.predecessor, std::nullopt);
  EXPECT_EQ(found.reason, NotInstrumented::static_program);
  EXPECT_EQ(found.command, Words{"prog"});
  spawned.in_place = 1;
  EXPECT_EQ(only_image().parent, std::nullopt);
  EXPECT_EQ(only_image().predecessor, 2U);
}

TEST_F(SnapshotTest, one_that_was_withdrawn_is_none) {
  arena_.add_announcement(0, 1);
  arena_.add_announcement(1, 2);
  set_state(arena_.slot(0), SlotState::withdrawn);
  set_state(arena_.slot(1), SlotState::attaching);
  EXPECT_EQ(only_image().slot, 1U);
}

TEST_F(SnapshotTest, images_come_in_the_order_of_their_slots) {
  for (uint32_t slot : {5U, 1U, 3U}) arena_.add_image(slot, 1);
  Slots slots;
  const Snapshot snapshot = take_snapshot(arena_.base());
  for (const ImageSnapshot& image : snapshot.images) slots.push_back(image.slot);
  EXPECT_EQ(slots, (Slots{1, 3, 5}));
}

TEST_F(SnapshotTest, the_slots_of_a_process_are_found_by_its_number) {
  arena_.add_image(1, 77);
  arena_.slot(1).pid = 78;  // as announced, before the number was known
  arena_.add_announcement(2, 77);
  arena_.add_announcement(3, 77);
  set_state(arena_.slot(3), SlotState::withdrawn);
  arena_.add_image(4, 78);
  arena_.slot(9).pid = 77;
  set_state(arena_.slot(9), SlotState::announced);  // beyond those in use
  EXPECT_EQ(slots_of_process(arena_.base(), 77), (Slots{1, 2}));
  EXPECT_EQ(slots_of_process(arena_.base(), 78), Slots{4});
  EXPECT_EQ(slots_of_process(arena_.base(), 79), Slots{});
}

}  // namespace
}  // namespace iotrace
