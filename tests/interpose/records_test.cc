// Tests of interpose/records: when two calls are counted on the same record, and what happens when
// there are too many.
#include "interpose/records.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "interpose/memory.h"
#include "tests/interpose/arena_fixture.h"

namespace iotrace {
namespace {

using Records = ArenaTest;

struct stat file_number(uint64_t inode) {
  struct stat status = {};
  status.st_dev = 7;
  status.st_ino = inode;
  status.st_mode = S_IFREG;
  status.st_nlink = 1;
  return status;
}

TEST_F(Records, the_same_target_is_found_again) {
  unsigned first = find_or_make_record(3, Origin::elsewhere, file_number(10));
  EXPECT_EQ(find_or_make_record(3, Origin::elsewhere, file_number(10)), first);
  EXPECT_EQ(image().record_count, 1U);
}

TEST_F(Records, a_new_target_on_the_same_number_is_a_new_record) {
  unsigned first = find_or_make_record(3, Origin::elsewhere, file_number(10));
  unsigned second = find_or_make_record(3, Origin::elsewhere, file_number(11));
  EXPECT_NE(second, first);
  EXPECT_EQ(find_or_make_record(3, Origin::elsewhere, file_number(10)), first);
  EXPECT_GT(record_at(second)->generation, record_at(first)->generation);
}

TEST_F(Records, whatever_tells_targets_apart_makes_another_record) {
  set_stream(header(), 0, OpenDescriptor(open_null_device()), true);
  set_stream(header(), 1, OpenDescriptor(open_null_device()), true);
  OpenDescriptor null(open_null_device());
  std::set<unsigned> records;
  struct stat status = file_number(10);
  records.insert(find_or_make_record(3, Origin::elsewhere, status));
  records.insert(find_or_make_record(4, Origin::elsewhere, status));
  status.st_dev = 8;
  records.insert(find_or_make_record(3, Origin::elsewhere, status));
  status.st_rdev = 9;
  records.insert(find_or_make_record(3, Origin::elsewhere, status));
  // One number, one target, two streams.
  records.insert(find_or_make_record(3, Origin::from_stdout, status_of(null)));
  records.insert(find_or_make_record(3, Origin::from_stderr, status_of(null)));
  EXPECT_EQ(records.size(), 6U);
}

TEST_F(Records, say_what_was_found) {
  OpenDescriptor file(open_temporary_file());
  struct stat status = status_of(file);
  const DescriptorRecord& record = *record_at(find_or_make_record(file, Origin::elsewhere, status));
  EXPECT_EQ(record.ready, 1U);
  EXPECT_EQ(record.fd, file);
  EXPECT_EQ(record.kind, TargetKind::file);
  EXPECT_EQ(record.stream, Stream::other);
  EXPECT_EQ(record.origin, Origin::elsewhere);
  EXPECT_EQ(record.generation, 1U);
  EXPECT_TRUE(same_target(record, status));
  ++status.st_ino;
  EXPECT_FALSE(same_target(record, status));
  const PathText& path = *in_image<PathText>(record.path);
  EXPECT_TRUE(std::string(path.text, path.length).starts_with("/tmp/arena_test."));
}

TEST_F(Records, of_a_stream_have_no_path_of_their_own) {
  OpenDescriptor file(open_temporary_file());
  set_stream(header(), 1, file, false);
  const DescriptorRecord& record =
      *record_at(find_or_make_record(file, Origin::elsewhere, status_of(file)));
  EXPECT_EQ(record.stream, Stream::err);
  EXPECT_EQ(record.path, 0U);
}

TEST_F(Records, after_the_last_come_the_catch_alls) {
  for (unsigned i = 0; i < kFirstCatchAll; ++i)
    ASSERT_EQ(find_or_make_record(3, Origin::elsewhere, file_number(100 + i)), i);
  EXPECT_EQ(find_or_make_record(3, Origin::elsewhere, file_number(5)), kFirstCatchAll + 2);
  EXPECT_EQ(find_or_make_record(4, Origin::elsewhere, file_number(6)), kFirstCatchAll + 2);
  const DescriptorRecord& others = *record_at(kFirstCatchAll + 2);
  EXPECT_EQ(others.ready, 1U);
  EXPECT_EQ(others.fd, -1);
  EXPECT_EQ(others.stream, Stream::other);
  EXPECT_EQ(others.merged_descriptors, 2U);

  OpenDescriptor file(open_temporary_file());
  set_stream(header(), 1, file, false);
  EXPECT_EQ(find_or_make_record(file, Origin::elsewhere, status_of(file)), kFirstCatchAll + 1);
  EXPECT_EQ(record_at(kFirstCatchAll + 1)->stream, Stream::err);
  // Those that were made before are found all the same.
  EXPECT_EQ(find_or_make_record(3, Origin::elsewhere, file_number(100)), 0U);
  EXPECT_EQ(find_or_make_record(3, Origin::elsewhere, file_number(100 + kFirstCatchAll - 1)),
            kFirstCatchAll - 1);
  EXPECT_EQ(image().record_count, kFirstCatchAll);
}

TEST_F(Records, without_room_there_is_neither_record_nor_crash) {
  leave_room(0);
  while (allocate(kRefUnit) != 0) {
  }
  EXPECT_EQ(record_at(0), nullptr);
  EXPECT_EQ(find_or_make_record(3, Origin::elsewhere, file_number(1)), kFirstCatchAll + 2);
}

TEST_F(Records, a_number_that_refers_to_nothing_belongs_to_no_stream) {
  unsigned record = record_without_target(1, Origin::from_stdout);
  EXPECT_EQ(record_at(record)->stream, Stream::other);
  EXPECT_EQ(record_at(record)->ino, 0U);
  EXPECT_EQ(record_at(record)->kind, TargetKind::other);
  EXPECT_EQ(record_without_target(1, Origin::from_stdout), record);
}

TEST_F(Records, where_nothing_can_be_asked_the_origin_decides) {
  // The first page is there before the image freezes.
  ASSERT_NE(record_at(0), nullptr);
  image().flags |= kImageFrozen;
  EXPECT_EQ(record_at(record_without_target(1, Origin::from_stdout))->stream, Stream::out);
  EXPECT_EQ(record_at(record_without_target(2, Origin::from_stderr))->stream, Stream::err);
  EXPECT_EQ(record_at(record_without_target(3, Origin::elsewhere))->stream, Stream::other);
}

TEST_F(Records, a_forked_child_starts_without_any) {
  for (unsigned i = 0; i < 100; ++i) find_or_make_record(3, Origin::elsewhere, file_number(i));
  start_without_records();
  // As in the child: another image, other pages.
  image().record_count = 0;
  memset(image().record_pages, 0, sizeof(image().record_pages));
  EXPECT_EQ(find_or_make_record(3, Origin::elsewhere, file_number(99)), 0U);
  // Where the parent's record was is not even looked.
  EXPECT_EQ(image().record_pages[99 / kRecordsPerPage], 0U);
  EXPECT_EQ(find_or_make_record(3, Origin::elsewhere, file_number(1)), 1U);
}

}  // namespace
}  // namespace iotrace
