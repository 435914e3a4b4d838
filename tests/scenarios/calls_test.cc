// Scenarios: every output call by its name and bytes, and what becomes of those that fail or write
// less than asked.
#include <gtest/gtest.h>

#include <map>

#include "tests/support/command.h"
#include "tests/support/json_match.h"
#include "tests/support/paths.h"

namespace iotrace::test {
namespace {

struct CallsAndBytes {
  uint64_t calls = 0;
  uint64_t bytes = 0;
  bool operator==(const CallsAndBytes&) const = default;
};

std::ostream& operator<<(std::ostream& stream, const CallsAndBytes& counts) {
  return stream << counts.calls << " calls " << counts.bytes << " bytes";
}

// By name, of a program that uses a descriptor of its own for each.
std::map<std::string, CallsAndBytes> counts_by_name(const Outcome& outcome) {
  std::map<std::string, CallsAndBytes> counts;
  for (const auto& descriptor : outcome.report.at("processes").at(0).at("descriptors")) {
    const auto& names = descriptor.at("calls_by_name");
    EXPECT_EQ(names.size(), 1u) << descriptor;
    CallsAndBytes& entry = counts[names.begin().key()];
    entry.calls += names.begin().value().get<uint64_t>();
    entry.bytes += descriptor.at("bytes").get<uint64_t>();
  }
  return counts;
}

class EveryCall : public testing::TestWithParam<const char*> {};

TEST_P(EveryCall, is_counted_by_name_and_bytes) {
  TempDir dir;
  write_file(dir.file("source"), std::string(200, 's'));
  Command command({victim("output_calls"), dir.file("source"), GetParam()});
  Outcome outcome = command.in_directory(dir.path()).traced().wait();
  ASSERT_EQ(outcome.code, 0) << outcome;
  const std::map<std::string, CallsAndBytes> expected = {
      {"write", {1, 1}},     {"writev", {1, 3}},    {"pwrite64", {1, 4}},
      {"pwritev", {1, 3}},   {"pwritev2", {1, 3}},  {"sendto", {2, 13}},
      {"sendmsg", {1, 8}},   {"sendmmsg", {1, 17}}, {"sendfile", {1, 10}},
      {"splice", {1, 12}},   {"tee", {1, 12}},      {"copy_file_range", {1, 11}},
      {"vmsplice", {1, 14}},
  };
  EXPECT_EQ(counts_by_name(outcome), expected);
  EXPECT_TRUE(matches(outcome.stream("other"), R"({
    "calls": 14, "bytes": 111, "bytes_requested": 111, "succeeded_calls": 14,
    "calls_by_name": {"write": 1, "writev": 1, "pwrite64": 1, "pwritev": 1, "pwritev2": 1,
                      "sendto": 2, "sendmsg": 1, "sendmmsg": 1, "sendfile": 1,
                      "copy_file_range": 1, "splice": 1, "tee": 1, "vmsplice": 1}})"));
  // The kernel's own count knows nothing of sockets and pipes' own calls: 2 sendto, 5 others.
  EXPECT_TRUE(matches(outcome.report.at("coverage"), R"({
    "complete": true, "kernel_calls": 7, "counted_calls": 7, "unseen_calls": 0,
    "not_auditable_calls": 7})"));
}

INSTANTIATE_TEST_SUITE_P(ByLibcAndBySyscall, EveryCall, testing::Values("libc", "raw"),
                         [](const auto& param) { return std::string(param.param); });

Outcome failing(const std::string& way) { return traced({victim("bad_calls"), way}); }

TEST(FailingCalls, ebadf) {
  EXPECT_TRUE(matches(failing("ebadf").stream("other"), R"({
    "calls": 1, "succeeded_calls": 0, "errors": {"EBADF": 1}, "bytes": 0, "bytes_requested": 5})"));
}

TEST(FailingCalls, epipe_with_the_signal_ignored) {
  EXPECT_TRUE(matches(failing("epipe").stream("other"), R"({
    "calls": 1, "succeeded_calls": 0, "errors": {"EPIPE": 1}, "unfinished_calls": 0})"));
}

TEST(FailingCalls, a_short_write_and_eagain_on_a_full_pipe) {
  EXPECT_TRUE(matches(failing("eagain").stream("other"), R"({
    "calls": 2, "succeeded_calls": 1, "short_writes": 1, "errors": {"EAGAIN": 1},
    "bytes": 65536, "bytes_requested": 100001})"));
}

TEST(FailingCalls, enospc) {
  EXPECT_TRUE(matches(failing("enospc").stream("other"),
                      R"({"calls": 1, "succeeded_calls": 0, "errors": {"ENOSPC": 1}})"));
}

TEST(FailingCalls, efault_by_every_kind_of_bad_pointer) {
  Outcome outcome = failing("efault");
  EXPECT_EQ(outcome.code, 0) << outcome;
  EXPECT_TRUE(matches(outcome.stream("other"), R"({
    "calls": 5, "calls_by_name": {"write": 1, "writev": 2, "sendmsg": 2}, "bytes": 0,
    "succeeded_calls": 0, "errors": {"EFAULT": 5}})"));
}

TEST(FailingCalls, a_bad_pointer_that_the_kernel_does_not_read_is_harmless) {
  Outcome outcome = failing("unread");
  EXPECT_EQ(outcome.code, 0) << outcome;
  EXPECT_TRUE(matches(outcome.stream("other"), R"({
    "calls": 3, "succeeded_calls": 2, "bytes": 10, "errors": {"EFAULT": 1},
    "newline_terminated_calls": 0})"));
}

// Whether the kernel counts some failures depends on the address or the file. As many calls as it
// may have counted could be others that nobody saw; then the report says that it cannot know.
TEST(FailingCalls, failures_are_never_taken_for_missing_calls) {
  for (const char* way : {"ebadf", "epipe", "eagain", "enospc", "efault", "unread"}) {
    const auto coverage = failing(way).report.at("coverage");
    EXPECT_TRUE(matches(coverage, R"({"unseen_calls": 0, "unaudited": []})")) << way;
    EXPECT_NE(coverage.at("complete"), false) << way;
    EXPECT_EQ(coverage.at("complete") == nullptr, coverage.at("note") != nullptr) << way;
  }
}

TEST(FailingCalls, failures_that_the_kernel_counts_for_certain_leave_no_doubt) {
  for (const char* way : {"epipe", "eagain"}) {
    EXPECT_EQ(failing(way).report.at("coverage").at("complete"), true) << way;
  }
}

TEST(FailingCalls, stdio_into_a_full_device) {
  Command command({demo("printf_demo"), "1000"});
  Outcome outcome = command.stdout_to(full_device()).traced().wait();
  EXPECT_EQ(outcome.code, 1) << outcome;
  const auto& out = outcome.stream("stdout");
  EXPECT_TRUE(matches(out, R"({"bytes": 0, "succeeded_calls": 0,
                               "target": {"kind": "device", "path": "/dev/full"}})"));
  EXPECT_EQ(out.at("errors").at("ENOSPC"), out.at("calls"));
  EXPECT_GE(out.at("calls"), 1);
}

}  // namespace
}  // namespace iotrace::test
