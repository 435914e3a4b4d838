// Tests of interpose/stdio_file and interpose/stdio_note: what a FILE of this C library says of
// itself.
#include "interpose/stdio_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdio_ext.h>
#include <wchar.h>

#include <string>

#include "interpose/stdio_note.h"
#include "tests/interpose/arena_fixture.h"
#include "tests/interpose/counted_write.h"

namespace iotrace {
namespace {

class StdioFile : public testing::Test {
 protected:
  ~StdioFile() override { fclose(file_); }
  FILE* file_ = tmpfile();
};

TEST_F(StdioFile, tells_its_mode_and_buffer) {
  char buffer[4096];
  setvbuf(file_, buffer, _IOFBF, 3000);
  EXPECT_EQ(buffering_of(*file_), Buffering::full);
  EXPECT_EQ(buffer_size_of(*file_), 3000U);
  setvbuf(file_, buffer, _IOLBF, 2000);
  EXPECT_EQ(buffering_of(*file_), Buffering::line);
  EXPECT_EQ(buffer_size_of(*file_), 2000U);
  setvbuf(file_, nullptr, _IONBF, 0);
  EXPECT_EQ(buffering_of(*file_), Buffering::unbuffered);
  EXPECT_EQ(buffer_size_of(*file_), 0U);
}

TEST_F(StdioFile, has_what_was_not_written_yet) {
  EXPECT_EQ(pending_bytes(*file_), 0U);
  fputs("twelve bytes", file_);
  EXPECT_EQ(pending_bytes(*file_), 12U);
  EXPECT_EQ(pending_bytes(*file_), __fpending(file_));
  fflush(file_);
  EXPECT_EQ(pending_bytes(*file_), 0U);
}

TEST_F(StdioFile, knows_its_own_buffer) {
  char memory[102];
  char* const buffer = memory + 1;
  setvbuf(file_, buffer, _IOFBF, 100);
  fputs("x", file_);
  EXPECT_TRUE(in_buffer(*file_, buffer));
  EXPECT_TRUE(in_buffer(*file_, buffer + 99));
  EXPECT_FALSE(in_buffer(*file_, buffer + 100));
  EXPECT_FALSE(in_buffer(*file_, memory));
}

TEST_F(StdioFile, of_bytes_has_no_wide_buffer) {
  fputs("x", file_);
  EXPECT_EQ(wide_buffer_of(*file_), nullptr);
}

TEST_F(StdioFile, of_wide_characters_has_one_with_what_waits) {
  fputws(L"seven w", file_);
  const WideBuffer* wide = wide_buffer_of(*file_);
  ASSERT_NE(wide, nullptr);
  EXPECT_EQ(wide->write_ptr - wide->write_base, 7);
  EXPECT_EQ(pending_bytes(*file_), 7U);
  fflush(file_);
  EXPECT_EQ(pending_bytes(*file_), 0U);
}

TEST_F(StdioFile, has_the_descriptor_behind_it) {
  EXPECT_EQ(descriptor_of(file_), fileno(file_));
  EXPECT_EQ(descriptor_of(nullptr), -1);
  char memory[10];
  FILE* in_memory = fmemopen(memory, sizeof(memory), "w");
  EXPECT_LT(descriptor_of(in_memory), 0);
  fclose(in_memory);
}

[[gnu::noinline]] const FlushMark* mark_seen_from_deeper() {
  const FlushMark* mark = valid_flush_mark();
  asm volatile("" ::: "memory");
  return mark;
}

TEST(FlushMark, is_valid_in_calls_of_the_wrapper_alone) {
  EXPECT_EQ(mark_seen_from_deeper(), nullptr);
  iotrace_thread.mark = {FlushCause::close, false, __builtin_frame_address(0)};
  EXPECT_EQ(mark_seen_from_deeper(), &iotrace_thread.mark);
  EXPECT_FALSE(is_without_file());
  // Left behind by a frame that is gone.
  char* below = static_cast<char*>(__builtin_frame_address(0)) - 100'000;
  iotrace_thread.mark.frame = below;
  EXPECT_EQ(mark_seen_from_deeper(), nullptr);
  iotrace_thread.mark = {};
}

class Publish : public ArenaTest {
 protected:
  ~Publish() override { fclose(file_); }
  DescriptorRecord& record() { return record_of(block_for(fileno(file_))); }
  FILE* file_ = tmpfile();
};

TEST_F(Publish, what_waits_after_a_stdio_call) {
  setvbuf(file_, nullptr, _IOFBF, 1024);
  fputs("twelve bytes", file_);
  publish_pending(*file_, block_for(fileno(file_)));
  EXPECT_EQ(record().unflushed_bytes, 12U);
  EXPECT_EQ(record().stdio_mode, static_cast<uint32_t>(Buffering::full));
  fflush(file_);
  publish_pending(*file_, block_for(fileno(file_)));
  EXPECT_EQ(record().unflushed_bytes, 0U);
}

TEST_F(Publish, what_waits_after_a_write_that_the_file_has_not_noted_yet) {
  char buffer[1000];
  setvbuf(file_, buffer, _IOFBF, sizeof(buffer));
  fputs("twelve bytes", file_);
  publish_written(*file_, block_for(fileno(file_)), buffer, 5);
  EXPECT_EQ(record().unflushed_bytes, 7U);
  EXPECT_EQ(record().buffer_bytes, 1000U);
  publish_written(*file_, block_for(fileno(file_)), buffer + 5, 7);
  EXPECT_EQ(record().unflushed_bytes, 0U);
}

TEST_F(Publish, a_direct_write_leaves_what_waits) {
  char buffer[1000];
  setvbuf(file_, buffer, _IOFBF, sizeof(buffer));
  fputs("twelve bytes", file_);
  publish_pending(*file_, block_for(fileno(file_)));
  publish_written(*file_, block_for(fileno(file_)), "elsewhere", 9);
  EXPECT_EQ(record().unflushed_bytes, 12U);
}

}  // namespace
}  // namespace iotrace
