// Scenarios: which bytes were the run's stdout and which its stderr, whatever descriptor they went
// through.
#include <gtest/gtest.h>

#include "tests/support/command.h"
#include "tests/support/json_match.h"
#include "tests/support/paths.h"

namespace iotrace::test {
namespace {

const char* const kBothStreams = "echo out; echo error >&2";

void expect_bytes(const Outcome& outcome, int out, int err, int other) {
  ASSERT_TRUE(outcome.report.is_object()) << outcome;
  EXPECT_EQ(outcome.stream("stdout").at("bytes"), out) << outcome.report;
  EXPECT_EQ(outcome.stream("stderr").at("bytes"), err);
  EXPECT_EQ(outcome.stream("other").at("bytes"), other);
}

TEST(Streams, two_files) {
  TempDir dir;
  Command command({"sh", "-c", kBothStreams});
  command.stdout_to(file(dir.file("out"))).stderr_to(file(dir.file("err")));
  Outcome outcome = command.traced().wait();
  expect_bytes(outcome, 4, 6, 0);
  EXPECT_EQ(outcome.report.at("streams").at("shared_target"), false);
  EXPECT_EQ(outcome.stream("stdout").at("target").at("path"), dir.file("out"));
  EXPECT_EQ(outcome.stream("stderr").at("target").at("path"), dir.file("err"));
  EXPECT_EQ(read_file(dir.file("out")), "out\n");
  EXPECT_EQ(read_file(dir.file("err")), "error\n");
}

TEST(Streams, one_terminal_for_both) {
  Command command({"sh", "-c", kBothStreams});
  command.stdout_to(terminal()).stderr_to(terminal());
  Outcome outcome = command.traced().wait();
  expect_bytes(outcome, 4, 6, 0);
  EXPECT_EQ(outcome.report.at("streams").at("shared_target"), true);
  EXPECT_EQ(outcome.out, "out\nerror\n");
}

TEST(Streams, one_pipe_for_both) {
  Command command({"sh", "-c", kBothStreams});
  Outcome outcome = command.stderr_to(same_as_stdout()).traced().wait();
  expect_bytes(outcome, 4, 6, 0);
  EXPECT_EQ(outcome.report.at("streams").at("shared_target"), true);
}

TEST(Streams, the_null_device_for_both) {
  Command command({"sh", "-c", kBothStreams});
  command.stdout_to(null_device()).stderr_to(null_device());
  expect_bytes(command.traced().wait(), 4, 6, 0);
}

TEST(Streams, the_null_device_opened_by_somebody_else_is_neither) {
  Command command({"sh", "-c", "echo out; echo elsewhere >/dev/null; echo error >&2"});
  command.stdout_to(null_device()).stderr_to(null_device());
  expect_bytes(command.traced().wait(), 4, 6, 10);
}

TEST(Streams, a_pipe_inside_a_pipeline_is_not_stdout) {
  Outcome outcome = traced({"sh", "-c", "echo through | cat; echo direct"});
  EXPECT_EQ(outcome.out, "through\ndirect\n");
  expect_bytes(outcome, 15, 0, 8);
}

TEST(Streams, a_redirection_half_way) {
  TempDir dir;
  Command command({"sh", "-c", "echo before; exec >file; echo behind; echo error >&2"});
  Outcome outcome = command.in_directory(dir.path()).traced().wait();
  expect_bytes(outcome, 7, 6, 7);
  EXPECT_EQ(read_file(dir.file("file")), "behind\n");
}

TEST(Streams, a_child_whose_stdout_is_the_runs_stderr) {
  expect_bytes(traced({"sh", "-c", "sh -c 'echo child; /bin/echo grandchild' >&2"}), 0, 17, 0);
}

TEST(Streams, streams_that_change_places) {
  TempDir dir;
  Command command({"sh", "-c", "(echo to-err; echo to-out >&2) 3>&1 1>&2 2>&3"});
  command.stdout_to(file(dir.file("out"))).stderr_to(file(dir.file("err")));
  Outcome outcome = command.traced().wait();
  expect_bytes(outcome, 7, 7, 0);
  EXPECT_EQ(read_file(dir.file("err")), "to-err\n");
}

TEST(Streams, closed_stdout) {
  Command command({victim("write_sizes"), "2", "5", "6"});
  Outcome outcome = command.stdout_to(closed()).traced().wait();
  EXPECT_EQ(outcome.code, 0) << outcome;
  expect_bytes(outcome, 0, 11, 0);
  EXPECT_TRUE(matches(outcome.stream("stdout"), R"({"target": null, "calls": 0})"));
}

TEST(Streams, closed_stderr) {
  Command command({victim("write_sizes"), "1", "5", "6"});
  Outcome outcome = command.stderr_to(closed()).traced().wait();
  expect_bytes(outcome, 11, 0, 0);
  EXPECT_TRUE(matches(outcome.stream("stderr"), R"({"target": null, "calls": 0})"));
}

TEST(Streams, duplicates_of_a_descriptor) {
  TempDir dir;
  write_file(dir.file("elsewhere"), "");
  Command command({victim("dup_writer"), dir.file("elsewhere")});
  command.stdout_to(file(dir.file("out"))).stderr_to(file(dir.file("err")));
  expect_bytes(command.traced().wait(), 15, 48, 64);
}

TEST(Streams, duplicates_of_one_target_keep_their_origin) {
  Command command({victim("dup_writer"), "/dev/null"});
  command.stdout_to(null_device()).stderr_to(null_device());
  expect_bytes(command.traced().wait(), 15, 48, 64);
}

TEST(Streams, the_same_file_opened_again_by_name_is_the_stream) {
  TempDir dir;
  Command command({victim("dup_writer"), dir.file("out")});
  command.stdout_to(file(dir.file("out"))).stderr_to(file(dir.file("err")));
  expect_bytes(command.traced().wait(), 15 + 64, 48, 0);
}

TEST(Streams, all_streams_together_are_all_images_together) {
  TempDir dir;
  Command command({"sh", "-c", "echo a | cat >b; cat b; ls /; /bin/echo err >&2; (echo c; true)"});
  Outcome outcome = command.in_directory(dir.path()).traced().wait();
  uint64_t of_streams = 0, of_images = 0;
  for (const char* name : {"stdout", "stderr", "other"}) {
    of_streams += outcome.stream(name).at("calls").get<uint64_t>();
  }
  for (const auto& image : outcome.report.at("processes")) {
    of_images += image.at("calls").get<uint64_t>();
  }
  EXPECT_EQ(of_streams, of_images);
  EXPECT_EQ(outcome.stream("stdout").at("bytes"), outcome.out.size());
  EXPECT_EQ(outcome.report.at("coverage").at("complete"), true) << outcome;
}

}  // namespace
}  // namespace iotrace::test
