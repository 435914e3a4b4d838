// Tests of the error counts of interpose/record: every pair of call and errno has its own, however
// many there are.
#include <fcntl.h>
#include <gtest/gtest.h>

#include "tests/interpose/arena_fixture.h"
#include "tests/interpose/counted_write.h"

namespace iotrace {
namespace {

using Errors = decltype(Tally::errors);

class ErrorCounts : public ArenaTest {
 protected:
  Errors errors() { return tally(file_).errors; }
  OpenDescriptor file_{open_temporary_file()};
};

TEST_F(ErrorCounts, an_errno_has_one_entry) {
  for (int i = 0; i < 100; ++i) failing_write(file_, EAGAIN);
  failing_write(file_, EPIPE);
  EXPECT_EQ(errors(), (Errors{{{Call::write, EAGAIN}, 100}, {{Call::write, EPIPE}, 1}}));
  EXPECT_EQ(tally(file_).failed_calls(), 101U);
}

TEST_F(ErrorCounts, the_same_errno_of_another_call_has_another) {
  failing_write(file_, EIO);
  counted<Call::pwrite64>({{file_, raw::address("x"), 1}}, [] {
    errno = EIO;
    return -1L;
  });
  EXPECT_EQ(errors(), (Errors{{{Call::write, EIO}, 1}, {{Call::pwrite64, EIO}, 1}}));
}

TEST_F(ErrorCounts, more_than_seven_take_more_blocks) {
  for (int round = 0; round < 3; ++round) {
    for (int error = 1; error <= 20; ++error) failing_write(file_, error);
  }
  Errors expected;
  for (int error = 1; error <= 20; ++error) expected[{Call::write, error}] = 3;
  EXPECT_EQ(errors(), expected);
  int blocks = 0;
  for (Ref ref = block_for(file_).errors; ref != 0; ref = in_image<ErrorBlock>(ref)->next) ++blocks;
  EXPECT_EQ(blocks, 3);
}

TEST_F(ErrorCounts, those_without_room_are_overflow) {
  failing_write(file_, EIO);
  leave_room(0);
  while (allocate(kRefUnit) != 0) {
  }
  for (int error = 1; error <= 10; ++error) failing_write(file_, error);
  // EIO is 5, one of the ten, and six more find room beside it.
  EXPECT_EQ(errors().size(), 7U);
  EXPECT_EQ(image().overflow_calls, 3U);
}

TEST_F(ErrorCounts, a_copy_of_nothing_is_noted_though_it_succeeded) {
  auto copy = [this](long result) {
    counted<Call::copy_file_range>({{-1, 0, file_}}, [result] { return result; });
  };
  copy(100);
  copy(0);
  EXPECT_EQ(errors(), (Errors{{{Call::copy_file_range, kNothingCopied}, 1}}));
  EXPECT_EQ(tally(file_).succeeded_calls(), 2U);
  EXPECT_EQ(tally(file_).failed_calls(), 0U);
}

TEST_F(ErrorCounts, a_write_of_nothing_is_not) {
  counted_write(file_, "");
  EXPECT_TRUE(errors().empty());
}

}  // namespace
}  // namespace iotrace
