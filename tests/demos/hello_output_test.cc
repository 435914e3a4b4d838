// Every strategy of Hello, N puts out the same bytes. The counts are those at which one of them
// changes its ways: tens, arrays, longer numbers, a million.
#include <gtest/gtest.h>

#include "tests/demos/hello_programs.h"

namespace iotrace::test {
namespace {

std::string items(uint64_t count) {
  std::string text;
  for (uint64_t i = 0; i < count; ++i) text += "Hello, " + std::to_string(i) + "\t";
  return text;
}

void expect_items(const std::string& program, uint64_t count) {
  Outcome outcome = run({demo(program), std::to_string(count)});
  EXPECT_EQ(outcome.code, 0) << count << outcome.err;
  EXPECT_EQ(outcome.err, "");
  // Not EXPECT_EQ: it would print megabytes.
  EXPECT_TRUE(outcome.out == items(count)) << program << " " << count;
}

class HelloOutputTest : public testing::TestWithParam<std::string> {};

TEST_P(HelloOutputTest, the_items_and_nothing_else) {
  for (uint64_t count : {0,   1,   9,    10,   11,    99,    100,    101,    499,    500,
                         501, 999, 1000, 1001, 12345, 99999, 100000, 100001, 100500, 123456}) {
    expect_items(GetParam(), count);
  }
}

// Without hello_naive, which would make nine million calls and does nothing new there.
class HelloManyItemsTest : public testing::TestWithParam<std::string> {};

TEST_P(HelloManyItemsTest, are_put_out_beyond_a_million) {
  for (uint64_t count : {1000000, 1000499, 1001501}) expect_items(GetParam(), count);
}

INSTANTIATE_TEST_SUITE_P(All, HelloOutputTest, testing::ValuesIn(hello_programs()), test_name);

std::vector<std::string> all_but_naive() {
  std::vector<std::string> programs = hello_programs();
  programs.erase(std::remove(programs.begin(), programs.end(), "hello_naive"), programs.end());
  return programs;
}

INSTANTIATE_TEST_SUITE_P(All, HelloManyItemsTest, testing::ValuesIn(all_but_naive()), test_name);

TEST(HelloLimitTest, writes_as_many_bytes_as_the_strategies) {
  for (uint64_t count : {0, 1, 10, 11, 1000, 12345}) {
    Outcome outcome = run({demo("hello_limit"), std::to_string(count)});
    EXPECT_EQ(outcome.out.size(), items(count).size()) << count;
  }
}

}  // namespace
}  // namespace iotrace::test
