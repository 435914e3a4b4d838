// The page that the programs of the large page write: the same bytes, as large as asked.
#include <gtest/gtest.h>

#include <sstream>

#include "tests/demos/genbig_programs.h"

namespace iotrace::test {
namespace {

std::string page(const std::string& program, const std::string& size) {
  Outcome outcome = run({demo(program), "--size", size});
  EXPECT_EQ(outcome.code, 0) << size << outcome.err;
  return outcome.out;
}

class GenbigOutputTest : public testing::TestWithParam<std::string> {};

TEST_P(GenbigOutputTest, all_programs_write_the_same_page) {
  for (const char* size : {"0", "1", "98", "99", "100", "147", "148", "8192", "100000", "1M"}) {
    EXPECT_TRUE(page(GetParam(), size) == page("genbig_endl", size)) << size;
  }
}

TEST_P(GenbigOutputTest, elements_are_added_until_the_size_is_reached) {
  EXPECT_EQ(page(GetParam(), "0").size(), kFirstLineSize + kLastLineSize);
  EXPECT_EQ(page(GetParam(), "99").size(), kFirstLineSize + kLastLineSize);
  EXPECT_EQ(page(GetParam(), "100").size(), kFirstLineSize + kElementSize + kLastLineSize);
  EXPECT_EQ(page(GetParam(), "147").size(), kFirstLineSize + kElementSize + kLastLineSize);
  EXPECT_EQ(page(GetParam(), "148").size(), kFirstLineSize + 2 * kElementSize + kLastLineSize);
}

TEST_P(GenbigOutputTest, k_m_and_g_are_powers_of_1024) {
  EXPECT_EQ(page(GetParam(), "3K"), page(GetParam(), "3072"));
  EXPECT_TRUE(page(GetParam(), "2M") == page(GetParam(), "2048K"));
  // Too much to be read here; that it starts to write it shows that it is understood.
  expect_dies_without_reader({demo(GetParam()), "--size", "1024G"});
}

TEST_P(GenbigOutputTest, by_default_it_is_42_mib) {
  Command command({demo(GetParam())});
  Outcome outcome = with_default_buffer(command).stdout_to(null_device()).traced().wait();
  EXPECT_EQ(outcome.code, 0) << outcome;
  size_t bytes = outcome.stream("stdout")["bytes"];
  EXPECT_GE(bytes - kLastLineSize, size_t{42} << 20);
  EXPECT_LT(bytes - kLastLineSize, (size_t{42} << 20) + kElementSize);
}

INSTANTIATE_TEST_SUITE_P(All, GenbigOutputTest, testing::ValuesIn(genbig_programs()), test_name);

TEST(GenbigPageTest, a_first_line_one_element_again_and_again_a_last_line) {
  std::istringstream text(page("genbig_block", "1000"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 21u);
  EXPECT_EQ(lines.front().rfind("<!DOCTYPE html>", 0), 0u);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), lines[1]), 19);
  EXPECT_EQ(lines.back(), "</body></html>");
}

}  // namespace
}  // namespace iotrace::test
