// Tests of cli/collect: the rows of the images, and their descriptors.
#include <gtest/gtest.h>

#include <cerrno>
#include <map>
#include <string>
#include <vector>

#include "cli/collect.h"
#include "tests/cli/snapshots.h"

namespace iotrace {
namespace {

using Counts = std::map<std::string, uint64_t>;

std::vector<Process> rows(const Snapshot& snapshot, const Audit& audited = {}) {
  return collect({}, snapshot, audited).processes;
}

// One word for each row: "id(pid)<-parent".
std::string tree(const std::vector<ImageSnapshot>& images) {
  std::string text;
  for (const Process& row : rows(snapshot_of(images))) {
    text += (text.empty() ? "" : " ") + std::to_string(row.id) + "(" + std::to_string(*row.pid) +
            ")" + (row.parent_id ? "<-" + std::to_string(*row.parent_id) : "");
  }
  return text;
}

ImageSnapshot forked(ImageSnapshot image) {
  image.flags |= kImageForkedCopy;
  return image;
}

TEST(CollectProcesses, are_linked_to_who_made_or_was_replaced_by_them) {
  EXPECT_EQ(tree({image(0), child_of(0, image(4)), successor_of(0, image(5)), image(7)}),
            "1(100) 2(104)<-1 3(105)<-1 4(107)");
}

TEST(CollectProcesses, a_copy_that_was_forked_to_execute_something_is_left_out) {
  EXPECT_EQ(tree({image(0), forked(child_of(0, image(1))), successor_of(1, image(2)),
                  child_of(2, image(3))}),
            "1(100) 2(102)<-1 3(103)<-2");
}

TEST(CollectProcesses, so_is_a_copy_of_a_copy) {
  EXPECT_EQ(tree({image(0), forked(child_of(0, image(1))), child_of(1, forked(image(2))),
                  successor_of(1, image(3)), successor_of(2, image(4))}),
            "1(100) 2(103)<-1 3(104)<-1");
}

TEST(CollectProcesses, a_copy_that_did_anything_stays) {
  ImageSnapshot copy = forked(child_of(0, image(1)));
  EXPECT_EQ(tree({image(0), copy}), "1(100) 2(101)<-1");
  copy.overflow_calls = 1;
  EXPECT_EQ(tree({image(0), copy, successor_of(1, image(2))}), "1(100) 2(101)<-1 3(102)<-2");
  copy.overflow_calls = 0;
  copy.records = {written(1, Stream::out, 1)};
  EXPECT_EQ(tree({image(0), copy, successor_of(1, image(2))}), "1(100) 2(101)<-1 3(102)<-2");
  copy.records = {written(1, Stream::out, 0)};
  copy.records[0].tally.stdio_calls = 1;
  EXPECT_EQ(tree({image(0), copy, successor_of(1, image(2))}), "1(100) 2(101)<-1 3(102)<-2");
  copy.records.clear();
  copy.flags = 0;
  EXPECT_EQ(tree({image(0), copy, successor_of(1, image(2))}), "1(100) 2(101)<-1 3(102)<-2");
}

TEST(CollectProcesses, an_image_is_described) {
  ImageSnapshot one = image(0);
  one.counting = Counting::stdio_table;
  one.threads = 4;
  one.executable = "/bin/program";
  one.command_truncated = true;
  one.records = {written(1, Stream::out, 10), written(2, Stream::err, 3),
                 written(5, Stream::other, 2)};
  Audit audited;
  audited.exits[0].code = 7;
  const Process row = rows(snapshot_of({one}), audited).at(0);
  EXPECT_EQ(row.command, std::vector<std::string>{"program0"});
  EXPECT_TRUE(row.command_truncated);
  EXPECT_EQ(row.executable, "/bin/program");
  EXPECT_EQ(row.exit->code, 7);
  EXPECT_FALSE(row.running);
  EXPECT_EQ(row.threads, 4U);
  EXPECT_TRUE(row.instrumented);
  EXPECT_EQ(row.not_instrumented_because, std::nullopt);
  EXPECT_EQ(row.counting, "stdio-table");
  EXPECT_EQ(row.calls, 15U);
  EXPECT_EQ(row.bytes, 120U);
  EXPECT_EQ(row.calls_by_name, (Counts{{"write", 15}}));
  EXPECT_EQ(row.stdout_calls, 10U);
  EXPECT_EQ(row.stdout_bytes, 80U);
  EXPECT_EQ(row.stderr_calls, 3U);
  EXPECT_EQ(row.stderr_bytes, 24U);
}

TEST(CollectProcesses, one_that_runs_has_no_exit) {
  Audit audited;
  audited.running[0] = true;
  const Process row = rows(snapshot_of({image(0)}), audited).at(0);
  EXPECT_TRUE(row.running);
  EXPECT_FALSE(row.exit);
  EXPECT_EQ(row.threads, 1U);
}

TEST(CollectProcesses, one_that_was_not_instrumented_says_why) {
  ImageSnapshot announced = image(0);
  announced.attached = false;
  announced.reason = NotInstrumented::foreign_class;
  announced.pid = 0;
  const Process row = rows(snapshot_of({announced})).at(0);
  EXPECT_FALSE(row.instrumented);
  EXPECT_EQ(row.not_instrumented_because, "32-bit");
  EXPECT_EQ(row.counting, std::nullopt);
  EXPECT_EQ(row.pid, std::nullopt);
}

TEST(CollectDescriptors, say_what_was_done_on_each) {
  RecordSnapshot record = written(5, Stream::other, 10);
  record.kind = TargetKind::socket;
  record.path = "socket:[77]";
  record.tally.sizes[3] = 6;
  record.tally.errors[{Call::write, EPIPE}] = 3;
  ImageSnapshot one = image(0);
  one.records = {record};
  const Descriptor found = rows(snapshot_of({one})).at(0).descriptors.at(0);
  EXPECT_EQ(found.fd, 5);
  EXPECT_EQ(found.target.kind, "socket");
  EXPECT_EQ(found.target.path, "socket:[77]");
  EXPECT_EQ(found.stream, "other");
  EXPECT_EQ(found.calls, 10U);
  EXPECT_EQ(found.calls_by_name, (Counts{{"write", 10}}));
  EXPECT_EQ(found.bytes, 80U);
  EXPECT_EQ(found.errors, (Counts{{"EPIPE", 3}}));
  EXPECT_EQ(found.unfinished_calls, 1U);
}

TEST(CollectDescriptors, of_a_stream_have_its_path) {
  Snapshot snapshot = snapshot_of({image(0, 10)});
  snapshot.streams[0].open = 1;
  snprintf(snapshot.streams[0].path, kPathCapacity, "/tmp/out");
  snapshot.streams[0].path_length = 8;
  EXPECT_EQ(rows(snapshot).at(0).descriptors.at(0).target.path, "/tmp/out");
}

TEST(CollectDescriptors, the_busiest_64_are_shown_and_the_others_summed_up) {
  ImageSnapshot one = image(0);
  for (int i = 0; i < 100; ++i)
    one.records.push_back(written(i, Stream::other, static_cast<uint64_t>(1 + i)));
  const Process row = rows(snapshot_of({one})).at(0);
  ASSERT_EQ(row.descriptors.size(), 64U);
  EXPECT_EQ(row.descriptors.front().fd, 99);
  EXPECT_EQ(row.descriptors.back().fd, 36);
  EXPECT_EQ(row.descriptors_omitted.descriptors, 36U);
  EXPECT_EQ(row.descriptors_omitted.calls, 36U * 37 / 2);
  EXPECT_EQ(row.descriptors_omitted.bytes, 8U * 36 * 37 / 2);
}

TEST(CollectDescriptors, catch_alls_are_omitted_ones) {
  ImageSnapshot one = image(0, 5);
  one.records.push_back(written(-1, Stream::other, 7));
  one.records.back().merged_descriptors = 300;
  const Process row = rows(snapshot_of({one})).at(0);
  EXPECT_EQ(row.descriptors.size(), 1U);
  EXPECT_EQ(row.descriptors_omitted.descriptors, 300U);
  EXPECT_EQ(row.descriptors_omitted.calls, 7U);
  EXPECT_EQ(row.calls, 12U);
}

TEST(CollectDescriptors, without_a_call_are_not_there) {
  ImageSnapshot one = image(0);
  one.records = {written(1, Stream::out, 0)};
  one.records[0].tally.stdio_calls = 3;
  EXPECT_TRUE(rows(snapshot_of({one})).at(0).descriptors.empty());
}

}  // namespace
}  // namespace iotrace
