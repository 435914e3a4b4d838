// Tests of cli/collect: what a snapshot becomes in the streams of a report.
#include "cli/collect.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cerrno>
#include <map>
#include <string>

#include "tests/cli/snapshots.h"

namespace iotrace {
namespace {

using Counts = std::map<std::string, uint64_t>;

Report collected(const Snapshot& snapshot) { return collect({}, snapshot, {}); }

// The report on stdout of an image with that record alone.
StreamReport stdout_of(const RecordSnapshot& record, uint32_t flags = 0) {
  ImageSnapshot one = image(0);
  one.flags = flags;
  one.records = {record};
  return collected(snapshot_of({one})).out;
}

TEST(CollectRun, takes_over_what_the_launch_says) {
  RunFacts facts;
  facts.command = {"./prog", "-x"};
  facts.started = "2026-11-30T22:00:00Z";
  facts.result.code = 3;
  facts.result.real_s = 1.5;
  facts.result.user_s = 0.5;
  facts.result.sys_s = 0.25;
  facts.result.max_rss_bytes = 4096;
  Audit audited;
  audited.coverage.kernel_calls = 77;
  Report report = collect(facts, snapshot_of({}), audited);
  EXPECT_EQ(report.version, IOTRACE_VERSION);
  EXPECT_EQ(report.command, facts.command);
  EXPECT_EQ(report.started, facts.started);
  EXPECT_EQ(report.exit.code, 3);
  EXPECT_EQ(report.exit.signal, std::nullopt);
  EXPECT_EQ(report.real_s, 1.5);
  EXPECT_EQ(report.user_s, 0.5);
  EXPECT_EQ(report.sys_s, 0.25);
  EXPECT_EQ(report.max_rss_bytes, 4096U);
  EXPECT_EQ(report.coverage.kernel_calls, 77U);
}

TEST(CollectRun, names_the_signal_that_ended_it) {
  RunFacts facts;
  facts.result.signaled = true;
  facts.result.code = SIGPIPE;
  Report report = collect(facts, snapshot_of({}), {});
  EXPECT_EQ(report.exit.signal, "SIGPIPE");
  EXPECT_EQ(report.exit.code, std::nullopt);
}

TEST(CollectRun, sums_up_all_overflow) {
  Snapshot snapshot = snapshot_of({image(0), image(1)});
  snapshot.overflow_calls = 1;
  snapshot.images[0].overflow_calls = 10;
  snapshot.images[1].overflow_calls = 100;
  EXPECT_EQ(collected(snapshot).overflow_calls, 111U);
}

TEST(CollectStreams, calls_go_to_their_stream_from_every_image) {
  Snapshot snapshot = snapshot_of({image(0, 10), image(1, 5)});
  snapshot.images[1].records.push_back(written(2, Stream::err, 3));
  snapshot.images[1].records.push_back(written(7, Stream::other, 2));
  Report report = collected(snapshot);
  EXPECT_EQ(report.out.calls, 15U);
  EXPECT_EQ(report.out.bytes, 120U);
  EXPECT_EQ(report.err.calls, 3U);
  EXPECT_EQ(report.other.calls, 2U);
  EXPECT_EQ(report.out.calls_by_name, (Counts{{"write", 15}}));
}

TEST(CollectStreams, have_the_targets_of_the_start) {
  Snapshot snapshot = snapshot_of({});
  snapshot.streams[1].open = 1;
  snapshot.streams[1].kind = TargetKind::tty;
  snapshot.streams[1].path_length = 10;
  snprintf(snapshot.streams[1].path, kPathCapacity, "/dev/pts/3");
  Report report = collected(snapshot);
  EXPECT_FALSE(report.out.target);
  ASSERT_TRUE(report.err.target);
  EXPECT_EQ(report.err.target->kind, "tty");
  EXPECT_EQ(report.err.target->path, "/dev/pts/3");
  EXPECT_FALSE(report.other.target);
  snapshot.streams[1].path_length = 0;
  EXPECT_EQ(collected(snapshot).err.target->path, std::nullopt);
}

TEST(CollectStreams, share_a_target_when_all_of_it_is_the_same) {
  Snapshot snapshot = snapshot_of({});
  for (StreamTarget& stream : snapshot.streams) {
    stream.open = 1;
    stream.ino = 5;
  }
  EXPECT_TRUE(collected(snapshot).shared_target);
  snapshot.streams[1].rdev = 1;
  EXPECT_FALSE(collected(snapshot).shared_target);
  snapshot.streams[1].rdev = 0;
  snapshot.streams[1].open = 0;
  EXPECT_FALSE(collected(snapshot).shared_target);
}

TEST(CollectCalls, are_succeeded_failed_by_errno_or_unfinished) {
  RecordSnapshot record = written(1, Stream::out, 20);
  record.tally.sizes[3] = 10;
  record.tally.errors[{Call::write, EAGAIN}] = 4;
  record.tally.errors[{Call::writev, EAGAIN}] = 2;
  record.tally.errors[{Call::write, 4000}] = 1;
  record.tally.errors[{Call::copy_file_range, kNothingCopied}] = 9;
  record.tally.bytes_not_taken = 30;
  record.tally.short_writes = 5;
  record.tally.newline_terminated = 6;
  StreamReport out = stdout_of(record);
  EXPECT_EQ(out.succeeded_calls, 10U);
  EXPECT_EQ(out.errors, (Counts{{"EAGAIN", 6}, {"4000", 1}}));
  EXPECT_EQ(out.unfinished_calls, 3U);
  EXPECT_EQ(out.bytes_requested, 190U);
  EXPECT_EQ(out.short_writes, 5U);
  EXPECT_EQ(out.newline_terminated_calls, 6U);
}

TEST(CollectSizes, are_those_of_successful_calls) {
  RecordSnapshot record = written(1, Stream::out, 4);
  record.tally.sizes[3] = 3;
  record.tally.sizes[5] = 1;
  record.tally.min_bytes_plus_one = 6;
  record.tally.max_bytes = 17;
  StreamReport out = stdout_of(record);
  EXPECT_DOUBLE_EQ(*out.bytes_per_call.mean, 8);
  EXPECT_EQ(out.bytes_per_call.min, 5U);
  EXPECT_EQ(out.bytes_per_call.max, 17U);
  ASSERT_EQ(out.size_histogram.size(), 2U);
  EXPECT_EQ(out.size_histogram[0].up_to, 8U);
  EXPECT_EQ(out.size_histogram[0].calls, 3U);
  EXPECT_EQ(out.size_histogram[1].up_to, 32U);
}

TEST(CollectSizes, are_unknown_without_one) {
  RecordSnapshot record = written(1, Stream::out, 4);
  record.tally.sizes[3] = 0;
  StreamReport out = stdout_of(record);
  EXPECT_EQ(out.bytes_per_call.mean, std::nullopt);
  EXPECT_EQ(out.bytes_per_call.min, std::nullopt);
  EXPECT_EQ(out.bytes_per_call.max, std::nullopt);
  EXPECT_TRUE(out.size_histogram.empty());
}

TEST(CollectTime, has_the_percentiles_at_the_ends_of_their_buckets) {
  RecordSnapshot record = written(1, Stream::out, 200);
  record.tally.time_ns = 5000;
  record.tally.timed_calls = 100;
  record.tally.max_ns = 70'000;
  record.tally.times[7] = 50;
  record.tally.times[9] = 48;
  record.tally.times[12] = 1;
  record.tally.times[17] = 1;
  CallTime time = stdout_of(record).time;
  EXPECT_DOUBLE_EQ(*time.total_s, 5e-6);
  EXPECT_TRUE(time.estimated);
  EXPECT_EQ(time.timed_calls, 100U);
  EXPECT_EQ(time.p50_ns, 128U);
  EXPECT_EQ(time.p99_ns, 4096U);
  EXPECT_EQ(time.max_ns, 70'000U);
  ASSERT_EQ(time.histogram.size(), 4U);
  EXPECT_EQ(time.histogram[3].up_to_ns, 131'072U);
  EXPECT_EQ(time.histogram[3].calls, 1U);
}

TEST(CollectTime, is_exact_when_every_call_was_timed) {
  RecordSnapshot record = written(1, Stream::out, 3);
  record.tally.timed_calls = record.tally.times[0] = 3;
  EXPECT_FALSE(stdout_of(record).time.estimated);
  EXPECT_EQ(stdout_of(record).time.p50_ns, 1U);
}

TEST(CollectTime, is_unknown_when_none_was) {
  RecordSnapshot record = written(1, Stream::out, 3);
  record.tally.time_known = false;
  CallTime time = stdout_of(record).time;
  EXPECT_EQ(time.total_s, std::nullopt);
  EXPECT_EQ(time.p50_ns, std::nullopt);
  EXPECT_EQ(time.max_ns, std::nullopt);
}

}  // namespace
}  // namespace iotrace
