// The programs of Hello, N with arguments that make no sense, and with output that fails.
#include <gtest/gtest.h>

#include "tests/demos/hello_programs.h"

namespace iotrace::test {
namespace {

class HelloErrorsTest : public testing::TestWithParam<std::string> {
 protected:
  std::string program() const { return demo(GetParam()); }
};

TEST_P(HelloErrorsTest, arguments_without_sense_are_refused_in_one_line) {
  for (const char* argument : {"many", "", "-1", "+1", " 1", "1x", "1.5", "--fast", "1000000000001",
                               "99999999999999999999999"}) {
    expect_refused({program(), argument});
  }
  expect_refused({program(), "1", "2"});
}

TEST_P(HelloErrorsTest, a_closed_stdout_is_noticed) {
  expect_closed_stdout_is_noticed({program(), "10"});
}

// What fits into a buffer fails at the last flush, what does not fails before.
TEST_P(HelloErrorsTest, a_full_stdout_is_noticed) {
  expect_full_stdout_is_noticed({program(), "1"});
  expect_full_stdout_is_noticed({program(), "100000"});
}

TEST_P(HelloErrorsTest, without_a_reader_it_dies_of_sigpipe) {
  expect_dies_without_reader({program(), "1"});
  // By default there are more items than anybody reads.
  expect_dies_without_reader({program()});
}

INSTANTIATE_TEST_SUITE_P(All, HelloErrorsTest, testing::ValuesIn(hello_programs_and_limit()),
                         test_name);

}  // namespace
}  // namespace iotrace::test
