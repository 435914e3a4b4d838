// Tests of cli/collect: what a report says of the buffering of a stream.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "cli/collect.h"
#include "tests/cli/snapshots.h"

namespace iotrace {
namespace {

using Counts = std::map<std::string, uint64_t>;

// A record of a FILE in that mode, with so many calls of each kind of buffering.
RecordSnapshot through_stdio(Buffering mode, uint64_t calls, uint64_t full, uint64_t line = 0,
                             uint64_t unbuffered = 0) {
  RecordSnapshot record = written(1, Stream::out, calls);
  record.stdio_mode = mode;
  record.buffer_bytes = mode == Buffering::unbuffered ? 0 : 4096;
  record.tally.by_buffering[1] = full;
  record.tally.by_buffering[2] = line;
  record.tally.by_buffering[3] = unbuffered;
  return record;
}

std::optional<Stdio> stdio_of(std::vector<RecordSnapshot> records, uint32_t flags = 0) {
  ImageSnapshot one = image(0);
  one.flags = flags;
  one.records = std::move(records);
  return collect({}, snapshot_of({one}), {}).out.stdio;
}

TEST(CollectStdio, is_not_there_where_none_was_used) {
  EXPECT_FALSE(stdio_of({written(1, Stream::out, 10)}));
}

TEST(CollectStdio, one_kind_of_buffering_is_the_streams) {
  Stdio full = *stdio_of({through_stdio(Buffering::full, 10, 10)});
  EXPECT_EQ(full.buffering, "full");
  EXPECT_EQ(full.buffer_bytes, 4096U);
  EXPECT_EQ(full.calls_by_buffering, (Counts{{"full", 10}}));
  EXPECT_EQ(stdio_of({through_stdio(Buffering::line, 10, 0, 10)})->buffering, "line");
  Stdio unbuffered = *stdio_of({through_stdio(Buffering::unbuffered, 10, 0, 0, 10)});
  EXPECT_EQ(unbuffered.buffering, "unbuffered");
  EXPECT_EQ(unbuffered.buffer_bytes, 0U);
}

TEST(CollectStdio, several_kinds_are_mixed) {
  Stdio stdio = *stdio_of({through_stdio(Buffering::line, 10, 4, 6)});
  EXPECT_EQ(stdio.buffering, "mixed");
  EXPECT_EQ(stdio.calls_by_buffering, (Counts{{"full", 4}, {"line", 6}}));
}

TEST(CollectStdio, calls_that_went_past_it_are_a_kind_of_their_own) {
  Stdio stdio = *stdio_of({through_stdio(Buffering::full, 10, 7)});
  EXPECT_EQ(stdio.buffering, "mixed");
  EXPECT_EQ(stdio.calls_by_buffering, (Counts{{"full", 7}, {"none", 3}}));
  stdio = *stdio_of({through_stdio(Buffering::full, 10, 10), written(1, Stream::out, 5)});
  EXPECT_EQ(stdio.calls_by_buffering, (Counts{{"full", 10}, {"none", 5}}));
}

TEST(CollectStdio, what_was_never_written_has_the_mode_of_its_file) {
  RecordSnapshot waiting = through_stdio(Buffering::full, 0, 0);
  waiting.tally.stdio_calls = 3;
  waiting.unflushed_bytes = 12;
  Stdio stdio = *stdio_of({waiting});
  EXPECT_EQ(stdio.buffering, "full");
  EXPECT_EQ(stdio.unflushed_bytes, 12U);
  EXPECT_TRUE(stdio.calls_by_buffering.empty());
  EXPECT_EQ(stdio_of({waiting, written(1, Stream::out, 5)})->buffering, "mixed");
  RecordSnapshot other = waiting;
  other.stdio_mode = Buffering::line;
  EXPECT_EQ(stdio_of({waiting, other})->buffering, "mixed");
}

TEST(CollectStdio, the_mode_of_a_file_that_was_never_used_is_no_answer) {
  Stdio stdio = *stdio_of({through_stdio(Buffering::full, 5, 0)});
  EXPECT_EQ(stdio.buffering, std::nullopt);
  EXPECT_EQ(stdio.calls, 0U);
}

TEST(CollectStdio, sums_and_the_largest_buffer_are_over_all_records) {
  RecordSnapshot one = through_stdio(Buffering::full, 10, 10);
  one.tally.stdio_calls = 100;
  one.tally.flush_causes[static_cast<int>(FlushCause::full)] = 9;
  one.tally.flush_causes[static_cast<int>(FlushCause::exit)] = 1;
  one.tally.fflush_calls = 4;
  one.tally.fflush_empty_calls = 2;
  one.unflushed_bytes = 5;
  RecordSnapshot other = one;
  other.buffer_bytes = 65536;
  Stdio stdio = *stdio_of({one, other});
  EXPECT_EQ(stdio.calls, 200U);
  EXPECT_EQ(stdio.buffer_bytes, 65536U);
  EXPECT_EQ(stdio.flush_causes, (Counts{{"full", 18}, {"exit", 2}}));
  EXPECT_EQ(stdio.fflush_calls, 8U);
  EXPECT_EQ(stdio.fflush_empty_calls, 4U);
  EXPECT_EQ(stdio.unflushed_bytes, 10U);
}

TEST(CollectStdio, inlined_calls_make_the_count_inexact) {
  RecordSnapshot record = through_stdio(Buffering::full, 10, 10);
  EXPECT_TRUE(stdio_of({record})->calls_exact);
  EXPECT_FALSE(stdio_of({record}, kImageInlinesStdio)->calls_exact);
  record.stdio_inexact = true;
  EXPECT_FALSE(stdio_of({record})->calls_exact);
}

TEST(CollectStdio, of_another_image_without_stdio_inlining_does_not_matter) {
  ImageSnapshot inlines = image(0, 5), writes = image(1);
  inlines.flags = kImageInlinesStdio;
  writes.records = {through_stdio(Buffering::full, 10, 10)};
  EXPECT_TRUE(collect({}, snapshot_of({inlines, writes}), {}).out.stdio->calls_exact);
}

}  // namespace
}  // namespace iotrace
