// Tests of interpose/record: what one call adds to the counters, before it is made and after it has
// returned. They are read as the launcher reads them.
#include "interpose/record.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <stdexcept>
#include <string>

#include "interpose/descriptors.h"
#include "tests/interpose/arena_fixture.h"
#include "tests/interpose/counted_write.h"

namespace iotrace {
namespace {

class Record : public ArenaTest {
 protected:
  Tally tally() { return ArenaTest::tally(file_); }
  OpenDescriptor file_{open_temporary_file()};
};

TEST_F(Record, a_call_is_counted_before_it_is_made_and_its_bytes_after) {
  for (uint64_t i = 0; i < 200; ++i) {
    counted_write(file_, "first", [&] {
      EXPECT_EQ(tally().all_calls(), i + 1);
      EXPECT_EQ(tally().unfinished_calls(), 1U);
      EXPECT_EQ(tally().bytes, 5 * i);
      return 5L;
    });
    EXPECT_EQ(tally().all_calls(), i + 1);
    EXPECT_EQ(tally().bytes, 5 * (i + 1));
  }
  EXPECT_EQ(tally().sizes[size_bucket(5)], 200U);
}

TEST_F(Record, the_result_and_errno_are_those_of_the_call) {
  EXPECT_EQ(counted_write(file_, "text"), 4);
  EXPECT_EQ(failing_write(file_, ENOSPC), -1);
  EXPECT_EQ(errno, ENOSPC);
  EXPECT_EQ(failing_write(file_, EAGAIN), -1);
  EXPECT_EQ(errno, EAGAIN);
}

TEST_F(Record, a_call_that_never_returns_is_unfinished) {
  for (int i = 0; i < 200; ++i) {
    EXPECT_THROW(
        counted_write(file_, "text", []() -> long { throw std::runtime_error("cancelled"); }),
        std::runtime_error);
  }
  EXPECT_EQ(tally().all_calls(), 200U);
  EXPECT_EQ(tally().unfinished_calls(), 200U);
  EXPECT_EQ(tally().bytes, 0U);
  EXPECT_TRUE(tally().errors.empty());
}

TEST_F(Record, the_smallest_and_the_largest_call_are_kept) {
  for (size_t size : {300, 7, 4000, 20, 4000, 7}) counted_write(file_, std::string(size, 'x'));
  EXPECT_EQ(tally().min_bytes_plus_one, 8U);
  EXPECT_EQ(tally().max_bytes, 4000U);
  counted_write(file_, "");
  EXPECT_EQ(tally().min_bytes_plus_one, 1U);
  EXPECT_EQ(tally().max_bytes, 4000U);
  counted_write(file_, "x");
  EXPECT_EQ(tally().succeeded_calls(), 8U);
}

TEST_F(Record, without_a_successful_call_there_is_no_smallest) {
  failing_write(file_, EIO);
  EXPECT_EQ(tally().min_bytes_plus_one, 0U);
}

TEST_F(Record, every_size_is_in_its_bucket) {
  uint64_t bytes = 0;
  for (int round = 0; round < 3; ++round) {
    for (size_t size = 0; size <= 130; ++size) {
      counted_write(file_, std::string(size, 'x'));
      bytes += size;
    }
  }
  Tally found = tally();
  EXPECT_EQ(found.bytes, bytes);
  // 0 and 1; 2; 3 and 4; 5 to 8; ... 129 and 130.
  const uint64_t expected[] = {2, 1, 2, 4, 8, 16, 32, 64, 2};
  for (unsigned bucket = 0; bucket < std::size(expected); ++bucket)
    EXPECT_EQ(found.sizes[bucket], 3 * expected[bucket]) << bucket;
}

TEST_F(Record, a_call_that_takes_only_a_part_is_short) {
  for (int i = 0; i < 100; ++i) {
    counted_write(file_, "1234567890", [] { return 4L; });
    counted_write(file_, "1234567890");
  }
  EXPECT_EQ(tally().short_writes, 100U);
  EXPECT_EQ(tally().bytes_not_taken, 600U);
  EXPECT_EQ(tally().bytes, 1400U);
}

TEST_F(Record, what_a_failed_call_wanted_is_not_taken) {
  failing_write(file_, EIO);
  EXPECT_EQ(tally().bytes_not_taken, 5U);
  EXPECT_EQ(tally().short_writes, 0U);
  EXPECT_EQ(tally().succeeded_calls(), 0U);
  EXPECT_EQ(tally().failed_calls(), 1U);
}

TEST_F(Record, the_last_byte_that_was_taken_tells_a_newline) {
  for (int round = 0; round < 100; ++round) {
    counted_write(file_, "line\n");
    counted_write(file_, "line\nand more");
    counted_write(file_, "line\nand more", [] { return 5L; });
    counted_write(file_, "line\n", [] { return 3L; });
    counted_write(file_, "\n", [] { return 0L; });
  }
  EXPECT_EQ(tally().newline_terminated, 200U);
  EXPECT_EQ(tally().succeeded_calls(), 500U);
}

TEST_F(Record, the_null_device_takes_bytes_that_cannot_be_read) {
  OpenDescriptor null(open_null_device());
  void* page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  for (int i = 0; i < 200; ++i) {
    counted_write(null, std::string_view(static_cast<const char*>(page), 5));
    counted_write(null, "line\n");
  }
  munmap(page, 4096);
  EXPECT_EQ(ArenaTest::tally(null).bytes, 2000U);
  EXPECT_EQ(ArenaTest::tally(null).newline_terminated, 200U);
}

TEST_F(Record, descriptors_do_not_mix) {
  OpenDescriptor other(open_temporary_file());
  for (int i = 0; i < 100; ++i) {
    counted_write(file_, "a");
    counted_write(other, "bb");
    if (i % 3 == 0) counted_write(other, "cc");
  }
  EXPECT_EQ(tally().bytes, 100U);
  EXPECT_EQ(ArenaTest::tally(other).all_calls(), 134U);
  EXPECT_EQ(ArenaTest::tally(other).bytes, 268U);
}

TEST_F(Record, calls_do_not_mix) {
  for (int i = 0; i < 100; ++i) {
    counted_write(file_, "a");
    counted<Call::pwrite64>({{file_, raw::address("bcd"), 3}}, [] { return 3L; });
  }
  EXPECT_EQ(tally().calls[static_cast<unsigned>(Call::write)], 100U);
  EXPECT_EQ(tally().calls[static_cast<unsigned>(Call::pwrite64)], 100U);
  EXPECT_EQ(tally().all_calls(), 200U);
  EXPECT_EQ(tally().bytes, 400U);
}

TEST_F(Record, the_hooks_are_told_of_every_call_and_of_every_success) {
  int began = 0;
  uint64_t taken = 0;
  for (long result : {5, 3, -1}) {
    for (int i = 0; i < 150; ++i) {
      errno = EIO;
      counted<Call::write>(
          {{file_, raw::address("12345"), 5}}, [&] { return result; },
          [&](CounterBlock&) { ++began; }, [&](CounterBlock&, uint64_t bytes) { taken += bytes; });
    }
  }
  EXPECT_EQ(began, 450);
  EXPECT_EQ(taken, 1200U);
}

TEST_F(Record, a_target_that_was_replaced_unseen_gets_a_record_of_its_own) {
  OpenDescriptor other(open_temporary_file());
  counted_write(file_, "1");
  ASSERT_GE(raw_syscall(SYS_dup2, other, file_), 0);
  for (int i = 0; i < 200; ++i) counted_write(file_, "2");
  std::vector<Tally> found = tallies(file_);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].all_calls() + found[1].all_calls(), 201U);
  EXPECT_EQ(found[0].bytes + found[1].bytes, 201U);
  // The first look comes after 64 calls, or at the end of an interval that began before.
  EXPECT_GE(found[1].all_calls(), 70U);
}

TEST_F(Record, a_forgotten_number_is_looked_up_at_the_next_call) {
  OpenDescriptor other(open_temporary_file());
  counted_write(file_, "1");
  ASSERT_GE(raw_syscall(SYS_dup2, other, file_), 0);
  forget(file_);
  counted_write(file_, "22");
  std::vector<Tally> found = tallies(file_);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].bytes, 1U);
  EXPECT_EQ(found[1].bytes, 2U);
}

TEST_F(Record, a_child_forked_inside_the_call_does_not_count_its_return) {
  uint32_t slot = process.slot;
  for (int i = 0; i < 200; ++i) {
    counted_write(file_, "22", [] {
      ++process.slot;
      return 2L;
    });
    process.slot = slot;
  }
  EXPECT_EQ(tally().all_calls(), 200U);
  EXPECT_EQ(tally().bytes, 0U);
}

TEST_F(Record, the_child_of_a_vfork_counts_on_its_parents_lane_and_remembers_nothing) {
  counted_write(file_, "1");
  OpenDescriptor other(open_temporary_file());
  iotrace_thread.in_vfork_child = 1;
  iotrace_thread.blocks = iotrace_no_blocks;
  iotrace_thread.last_fd = kNoDescriptor;
  counted_write(other, "22");
  counted_write(file_, "333");
  iotrace_thread.in_vfork_child = 0;
  EXPECT_EQ(ArenaTest::tally(other).bytes, 2U);
  EXPECT_EQ(tally().bytes, 4U);
  EXPECT_EQ(process.records[other], 0U);
  EXPECT_EQ(lanes().size(), 1U);
}

TEST_F(Record, calls_without_room_are_made_and_counted_as_overflow) {
  counted_write(file_, "1");
  leave_room(0);
  while (allocate(kRefUnit) != 0) {
  }
  OpenDescriptor other(open_temporary_file());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(counted_write(other, "22"), 2);
  EXPECT_EQ(image().overflow_calls, 3U);
  process.image = nullptr;
  EXPECT_EQ(counted_write(other, "22"), 2);
  EXPECT_EQ(header().overflow_calls, 1U);
}

TEST_F(Record, without_an_arena_calls_are_only_made) {
  process = Process();
  EXPECT_EQ(counted_write(file_, "22"), 2);
}

}  // namespace
}  // namespace iotrace
