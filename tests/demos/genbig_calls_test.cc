// The calls that the programs of the large page make: one for each line, or one for each block.
#include <gtest/gtest.h>

#include "tests/demos/genbig_programs.h"

namespace iotrace::test {
namespace {

// 99 + 500 * 48 + 15 bytes in 502 lines.
constexpr const char* kSize = "24099";
constexpr size_t kLines = 502, kBytes = 24114;

Outcome traced_to(Channel channel, const std::string& program) {
  Command command({demo(program), "--size", kSize});
  Outcome outcome = with_default_buffer(command).stdout_to(std::move(channel)).traced().wait();
  EXPECT_EQ(outcome.code, 0) << outcome;
  EXPECT_EQ(outcome.stream("stdout")["bytes"], kBytes);
  EXPECT_EQ(outcome.report["coverage"]["complete"], true) << outcome;
  return outcome;
}

class LineFlushedTest : public testing::TestWithParam<std::string> {};

TEST_P(LineFlushedTest, makes_one_call_a_line_wherever_it_writes) {
  for (Channel channel : {null_device(), pipe_to_test(), terminal()}) {
    Outcome outcome = traced_to(channel, GetParam());
    EXPECT_EQ(outcome.stream("stdout")["calls"], kLines);
    EXPECT_EQ(outcome.stream("stdout")["newline_terminated_calls"], kLines);
    EXPECT_EQ(outcome.stream("stdout")["bytes_per_call"]["max"], kFirstLineSize);
  }
}

INSTANTIATE_TEST_SUITE_P(Genbig, LineFlushedTest,
                         testing::ValuesIn(built_among({"genbig_endl", "genbig-line-rs"})),
                         test_name);

// All have a buffer of 8 KiB. Python and Rust let no line cross its end, std::cout does, and may
// send the line that did not fit along with it.
class BlockBufferedTest : public testing::TestWithParam<std::string> {};

TEST_P(BlockBufferedTest, makes_a_call_for_each_8_kib) {
  for (Channel channel : {null_device(), pipe_to_test()}) {
    Outcome outcome = traced_to(channel, GetParam());
    EXPECT_EQ(outcome.stream("stdout")["calls"], 3);
    EXPECT_LE(outcome.stream("stdout")["bytes_per_call"]["max"], 8192 + kElementSize);
  }
}

std::vector<std::string> block_buffered() {
  std::vector<std::string> programs = built_among({"genbig_block", "genbig-block-rs"});
  if (file_exists("/usr/bin/python3")) programs.push_back("genbig.py");
  return programs;
}

INSTANTIATE_TEST_SUITE_P(Genbig, BlockBufferedTest, testing::ValuesIn(block_buffered()), test_name);

}  // namespace
}  // namespace iotrace::test
