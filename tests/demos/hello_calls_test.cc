// The calls that the strategies of Hello, N make: they are what the story tells.
#include <gtest/gtest.h>

#include "tests/demos/hello_programs.h"

namespace iotrace::test {
namespace {

constexpr int kItems = 10000;
constexpr int kBytes = 118890;

// Of a hand-made buffer that is filled to the last byte: the whole ones and the rest.
constexpr int blocks(int size) { return (kBytes + size - 1) / size; }

Outcome traced_to_null(const std::string& program, int count) {
  Command command({demo(program), std::to_string(count)});
  return command.stdout_to(null_device()).traced().wait();
}

class HelloCallsTest : public testing::TestWithParam<std::string> {
 protected:
  void expect_calls(int calls, int largest) {
    Outcome outcome = traced_to_null(GetParam(), kItems);
    const nlohmann::json& stream = outcome.stream("stdout");
    EXPECT_EQ(stream["calls"], calls);
    EXPECT_EQ(stream["succeeded_calls"], calls);
    EXPECT_EQ(stream["bytes"], kBytes);
    EXPECT_LE(stream["bytes_per_call"]["max"], largest);
    EXPECT_EQ(stream["newline_terminated_calls"], 0);
    EXPECT_EQ(outcome.report["coverage"]["complete"], true) << outcome;
  }
};

using OneCallAPiece = HelloCallsTest;
TEST_P(OneCallAPiece, three_an_item) { expect_calls(3 * kItems, 7); }
INSTANTIATE_TEST_SUITE_P(Hello, OneCallAPiece, testing::Values("hello_naive"), test_name);

// A piece that does not fit leaves a gap in the buffer, here too small to add up to a call.
using LineBuffer = HelloCallsTest;
TEST_P(LineBuffer, a_call_for_each_1024_bytes) { expect_calls(blocks(1024), 1024); }
INSTANTIATE_TEST_SUITE_P(Hello, LineBuffer,
                         testing::ValuesIn(built_among({"hello_dumbest", "hello_glacial",
                                                        "hello_slow", "glacial-rs", "slow-rs"})),
                         test_name);

using LargeBuffer = HelloCallsTest;
TEST_P(LargeBuffer, a_call_for_each_32_kib) { expect_calls(blocks(32768), 32768); }
INSTANTIATE_TEST_SUITE_P(Hello, LargeBuffer,
                         testing::ValuesIn(built_among({"hello_fast", "hello_speedy", "fast-rs",
                                                        "speedy-rs"})),
                         test_name);

using HandMadeBuffer = HelloCallsTest;
TEST_P(HandMadeBuffer, a_call_for_each_8_kib) { expect_calls(blocks(8192), 8192); }
INSTANTIATE_TEST_SUITE_P(Hello, HandMadeBuffer,
                         testing::ValuesIn(built_among({"hello_lightning", "hello_ludicrous",
                                                        "hello_serious", "hello_limit", "turbo-rs",
                                                        "lightning-rs"})),
                         test_name);

using WholeArray = HelloCallsTest;
TEST_P(WholeArray, a_call_for_each_500_items) { expect_calls(kItems / 500, 8192); }
INSTANTIATE_TEST_SUITE_P(Hello, WholeArray, testing::Values("hello_turbo"), test_name);

// What the C++ programs emulate, call by call.
class EmulationTest : public testing::TestWithParam<std::string> {};

TEST_P(EmulationTest, makes_the_calls_that_rust_makes) {
  std::string rust = GetParam() + "-rs";
  if (!file_exists(demo(rust))) GTEST_SKIP() << "there is no rustc";
  nlohmann::json ours = traced_to_null("hello_" + GetParam(), 200000).stream("stdout");
  nlohmann::json theirs = traced_to_null(rust, 200000).stream("stdout");
  for (const char* field : {"calls", "bytes", "bytes_per_call", "size_histogram"}) {
    EXPECT_EQ(ours[field], theirs[field]) << field;
  }
}

INSTANTIATE_TEST_SUITE_P(Hello, EmulationTest, testing::Values("glacial", "slow", "fast", "speedy"),
                         test_name);

}  // namespace
}  // namespace iotrace::test
