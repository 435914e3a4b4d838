// Tests of interpose/descriptors: which record a number stands for, where it came from, and what
// the child of a vfork must not change.
#include "interpose/descriptors.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "interpose/lanes.h"
#include "interpose/memory.h"
#include "interpose/records.h"
#include "tests/interpose/arena_fixture.h"

namespace iotrace {
namespace {

using Descriptors = ArenaTest;

TEST_F(Descriptors, a_number_that_was_looked_up_is_remembered) {
  OpenDescriptor file(open_temporary_file());
  unsigned record = look_up(file);
  EXPECT_EQ(record_at(record)->fd, file);
  EXPECT_EQ(process.records[file], record + 1);
  EXPECT_EQ(process.table_end, file + 1);
  EXPECT_EQ(look_up(file), record);
}

TEST_F(Descriptors, one_that_refers_to_nothing_is_not_remembered) {
  int fd = open_null_device();
  close(fd);
  unsigned record = look_up(fd);
  EXPECT_EQ(record_at(record)->ino, 0U);
  EXPECT_EQ(process.records[fd], 0U);
}

TEST_F(Descriptors, one_beyond_the_table_is_looked_up_and_not_remembered) {
  EXPECT_EQ(record_at(look_up(kDescriptorTableSize + 5))->fd, kDescriptorTableSize + 5);
  forget(kDescriptorTableSize + 5);
  forget(-1);
  EXPECT_EQ(process.table_end, 0);
}

TEST_F(Descriptors, of_a_frozen_image_nothing_is_asked) {
  OpenDescriptor file(open_temporary_file());
  ASSERT_NE(record_at(0), nullptr);
  image().flags |= kImageFrozen;
  EXPECT_EQ(record_at(look_up(file))->ino, 0U);
}

TEST_F(Descriptors, a_forgotten_number_was_opened_by_this_image) {
  OpenDescriptor file(open_temporary_file());
  note_new_target(file, Origin::from_stderr);
  look_up(file);
  forget(file);
  EXPECT_EQ(process.records[file], 0U);
  EXPECT_EQ(origin_of(file), Origin::elsewhere);
}

TEST_F(Descriptors, a_copy_has_the_origin_that_it_was_given) {
  note_new_target(7, Origin::from_stdout);
  EXPECT_EQ(origin_of(7), Origin::from_stdout);
  note_new_target(1, origin_of(2));
  EXPECT_EQ(origin_of(1), Origin::from_stderr);
}

TEST_F(Descriptors, of_unknown_origin_the_number_decides) {
  EXPECT_EQ(origin_of(1), Origin::from_stdout);
  EXPECT_EQ(origin_of(2), Origin::from_stderr);
  EXPECT_EQ(origin_of(0), Origin::elsewhere);
  EXPECT_EQ(origin_of(100000), Origin::elsewhere);
  EXPECT_EQ(origin_of(-1), Origin::elsewhere);
}

TEST_F(Descriptors, a_range_is_forgotten_with_both_ends) {
  for (int fd = 4; fd <= 8; ++fd) note_new_target(fd, Origin::from_stdout);
  forget_range(5, 7);
  EXPECT_EQ(origin_of(4), Origin::from_stdout);
  EXPECT_EQ(origin_of(5), Origin::elsewhere);
  EXPECT_EQ(origin_of(7), Origin::elsewhere);
  EXPECT_EQ(origin_of(8), Origin::from_stdout);
}

TEST_F(Descriptors, a_range_to_the_end_takes_the_streams_along_though_unused) {
  forget_range(0, UINT32_MAX);
  EXPECT_EQ(origin_of(1), Origin::elsewhere);
  EXPECT_EQ(origin_of(2), Origin::elsewhere);
  EXPECT_LE(process.table_end, 3);
}

TEST_F(Descriptors, what_an_executed_program_inherits) {
  note_new_target(5, Origin::from_stderr);
  note_new_target(kOriginCount - 1, Origin::from_stdout);
  Origin origins[kOriginCount] = {};
  copy_origins(origins);
  EXPECT_EQ(origins[5], Origin::from_stderr);
  EXPECT_EQ(origins[kOriginCount - 1], Origin::from_stdout);
  EXPECT_EQ(origins[6], Origin::unknown);
}

TEST_F(Descriptors, a_target_that_was_replaced_unseen_is_noticed) {
  OpenDescriptor file(open_temporary_file()), null(open_null_device());
  const DescriptorRecord& record = *record_at(look_up(file));
  EXPECT_TRUE(target_unchanged(file, record));
  ASSERT_GE(dup2(null, file), 0);
  EXPECT_FALSE(target_unchanged(file, record));
  image().flags |= kImageFrozen;
  EXPECT_TRUE(target_unchanged(file, record));
}

TEST_F(Descriptors, a_catch_all_has_no_target_that_could_change) {
  DescriptorRecord catch_all = {};
  catch_all.fd = -1;
  EXPECT_TRUE(target_unchanged(3, catch_all));
}

TEST_F(Descriptors, a_forked_child_looks_every_number_up_again) {
  OpenDescriptor file(open_temporary_file());
  look_up(file);
  note_new_target(7, Origin::from_stdout);
  forget_all_records();
  EXPECT_EQ(process.records[file], 0U);
  EXPECT_EQ(origin_of(7), Origin::from_stdout);
}

class VforkChild : public ArenaTest {
 protected:
  void SetUp() override {
    ArenaTest::SetUp();
    ASSERT_NE(current_lane(), nullptr);
    note_new_target(5, Origin::from_stdout);
  }
};

TEST_F(VforkChild, sees_its_parents_origins_and_its_own_changes) {
  iotrace_thread.in_vfork_child = 1;
  EXPECT_EQ(origin_of(5), Origin::from_stdout);
  note_new_target(6, origin_of(5));
  forget(5);
  EXPECT_EQ(origin_of(6), Origin::from_stdout);
  EXPECT_EQ(origin_of(5), Origin::elsewhere);
  Origin origins[kOriginCount] = {};
  copy_origins(origins);
  EXPECT_EQ(origins[6], Origin::from_stdout);
  EXPECT_EQ(origins[5], Origin::elsewhere);
}

TEST_F(VforkChild, leaves_its_parents_tables_alone) {
  OpenDescriptor file(open_temporary_file());
  look_up(file);
  uint16_t remembered = process.records[file];
  iotrace_thread.in_vfork_child = 1;
  forget(5);
  forget(file);
  note_new_target(9, Origin::from_stderr);
  OpenDescriptor other(open_temporary_file());
  look_up(other);
  iotrace_thread.in_vfork_child = 0;
  EXPECT_EQ(origin_of(5), Origin::from_stdout);
  EXPECT_EQ(origin_of(9), Origin::elsewhere);
  EXPECT_EQ(process.records[file], remembered);
  EXPECT_EQ(process.records[other], 0U);
}

TEST_F(VforkChild, the_next_one_starts_from_the_parent_again) {
  iotrace_thread.in_vfork_child = 1;
  note_new_target(5, Origin::from_stderr);
  iotrace_thread.in_vfork_child = 0;
  iotrace_thread.in_vfork_child = 1;
  EXPECT_EQ(origin_of(5), Origin::from_stdout);
}

TEST_F(VforkChild, beyond_what_is_handed_over_nothing_is_known) {
  note_new_target(kOriginCount + 1, Origin::from_stdout);
  iotrace_thread.in_vfork_child = 1;
  EXPECT_EQ(origin_of(kOriginCount + 1), Origin::elsewhere);
  note_new_target(kOriginCount + 1, Origin::from_stderr);
  iotrace_thread.in_vfork_child = 0;
  EXPECT_EQ(origin_of(kOriginCount + 1), Origin::from_stdout);
}

TEST_F(VforkChild, of_a_thread_without_a_lane_has_one_of_its_own) {
  iotrace_thread = ThreadState();
  iotrace_thread.in_vfork_child = kInVforkChild;
  EXPECT_EQ(origin_of(5), Origin::from_stdout);
  forget(5);
  EXPECT_EQ(origin_of(5), Origin::elsewhere);
  EXPECT_TRUE(iotrace_thread.in_vfork_child & kVforkLane);
  iotrace_thread.in_vfork_child = 0;
  EXPECT_EQ(origin_of(5), Origin::from_stdout);
}

TEST_F(VforkChild, without_room_for_its_changes_goes_by_the_numbers) {
  iotrace_thread = ThreadState();
  iotrace_thread.in_vfork_child = kInVforkChild;
  image().lanes = 0;
  leave_room(0);
  while (allocate(kRefUnit) != 0) {
  }
  forget(5);
  EXPECT_EQ(origin_of(5), Origin::elsewhere);
  EXPECT_EQ(origin_of(2), Origin::from_stderr);
  iotrace_thread.in_vfork_child = 0;
  EXPECT_EQ(origin_of(5), Origin::from_stdout);
}

}  // namespace
}  // namespace iotrace
