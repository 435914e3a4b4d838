// What a frame costs in system calls on each stream with each buffer. Exact: a frame of a given
// size is always as many pieces and as many bytes.
#include <gtest/gtest.h>

#include "tests/support/command.h"
#include "tests/support/paths.h"

namespace iotrace::test {
namespace {

constexpr uint64_t kColumns = 40;
constexpr uint64_t kPictureRows = 9;
constexpr uint64_t kCells = kColumns * kPictureRows;
constexpr uint64_t kTitlePieces = 8;
constexpr uint64_t kPieces = kTitlePieces + kPictureRows + 2 * kCells;
constexpr uint64_t kCellBytes = 20 + 3;  // the colours and a half block
// Rows 2 to 10 are gone to with six bytes, the last with seven; the title is kColumns of text
// between a row's start, two resets and a bold.
constexpr uint64_t kFrameBytes = kCells * kCellBytes + 8 * 6 + 7 + kColumns + 6 + 3 * 4;
constexpr uint64_t kScreenCalls = 2;  // taking the terminal over, giving it back

struct Drawn {
  uint64_t frames = 0;
  nlohmann::json report;  // of the stream drawn on
};

Drawn draw(const std::string& stream, std::vector<std::string> options) {
  std::vector<std::string> argv = {demo("tui_demo"), "--stream", stream,        "--size", "40x10",
                                   "--duration",     "0.1",      "--frame-cap", "0"};
  argv.insert(argv.end(), options.begin(), options.end());
  Command command(argv);
  command.without_env("STREAM").without_env("DURATION");
  Outcome outcome = command.traced().wait();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.report["coverage"]["complete"], true);
  // tui_demo: 165 frames in 3.01 s: 54.8 frames per second on stderr
  const std::string& told = stream == "stdout" ? outcome.err : outcome.out;
  Drawn drawn;
  EXPECT_EQ(sscanf(told.c_str(), "tui_demo: %lu frames in", &drawn.frames), 1) << told;
  EXPECT_GE(drawn.frames, 1u);
  drawn.report = outcome.stream(stream);
  return drawn;
}

class TuiCallsTest : public testing::TestWithParam<const char*> {};

TEST_P(TuiCallsTest, without_a_buffer_every_piece_is_a_call) {
  Drawn drawn = draw(GetParam(), {"--buffer", "none"});
  EXPECT_EQ(drawn.report["calls"], drawn.frames * kPieces + kScreenCalls);
}

TEST_P(TuiCallsTest, a_line_buffer_leaves_when_1024_bytes_are_in_it) {
  Drawn drawn = draw(GetParam(), {"--buffer", "line"});
  EXPECT_EQ(drawn.report["calls"], drawn.frames * (kFrameBytes / 1024 + 1) + kScreenCalls);
  EXPECT_EQ(drawn.report["bytes_per_call"]["max"], 1024);
  EXPECT_EQ(drawn.report["stdio"]["flush_causes"]["full"], drawn.frames * (kFrameBytes / 1024));
  EXPECT_EQ(drawn.report["stdio"]["flush_causes"]["fflush"], drawn.frames);
}

TEST_P(TuiCallsTest, a_block_buffer_makes_a_call_of_a_frame) {
  Drawn drawn = draw(GetParam(), {"--buffer", "block"});
  EXPECT_EQ(drawn.report["calls"], drawn.frames + kScreenCalls);
  EXPECT_EQ(drawn.report["bytes_per_call"]["max"], kFrameBytes);
}

INSTANTIATE_TEST_SUITE_P(Both, TuiCallsTest, testing::Values("stdout", "stderr"),
                         [](const auto& test) { return std::string(test.param); });

TEST(TuiUsualBufferTest, is_for_lines_on_stdout_and_none_on_stderr) {
  Drawn on_stdout = draw("stdout", {});
  Drawn on_stderr = draw("stderr", {});
  EXPECT_EQ(on_stdout.report["stdio"]["calls_by_buffering"].count("line"), 1u);
  EXPECT_EQ(on_stderr.report["stdio"]["calls_by_buffering"].count("unbuffered"), 1u);
  const double stdout_calls = on_stdout.report["calls"].get<double>();
  const double stderr_calls = on_stderr.report["calls"].get<double>();
  EXPECT_GE(stderr_calls / static_cast<double>(on_stderr.frames),
            4 * stdout_calls / static_cast<double>(on_stdout.frames));
}

}  // namespace
}  // namespace iotrace::test
