// The programs of the large page, and its reader, with arguments that make no sense and with
// descriptors that fail.
#include <gtest/gtest.h>

#include "tests/demos/genbig_programs.h"

namespace iotrace::test {
namespace {

class GenbigErrorsTest : public testing::TestWithParam<std::string> {
 protected:
  std::string program() const { return demo(GetParam()); }
};

TEST_P(GenbigErrorsTest, arguments_without_sense_are_refused_in_one_line) {
  for (const char* size : {"large", "", "K", "-1", "+1", " 1", "1k", "1KB", "1.5M", "1025G",
                           "1099511627777", "99999999999999999999999", "18014398509481985K"}) {
    expect_refused({program(), "--size", size});
  }
  for (const char* argument : {"--fast", "-s", "42", "--size"}) {
    expect_refused({program(), argument});
  }
  expect_refused({program(), "--size", "1", "more"});
}

TEST_P(GenbigErrorsTest, a_closed_stdout_is_noticed) {
  expect_closed_stdout_is_noticed({program(), "--size", "100"});
}

// What fits into a buffer fails at the last flush, what does not fails before.
TEST_P(GenbigErrorsTest, a_full_stdout_is_noticed) {
  expect_full_stdout_is_noticed({program(), "--size", "100"});
  expect_full_stdout_is_noticed({program(), "--size", "1M"});
}

TEST_P(GenbigErrorsTest, without_a_reader_it_dies_of_sigpipe) {
  expect_dies_without_reader({program(), "--size", "100"});
  expect_dies_without_reader({program()});
}

INSTANTIATE_TEST_SUITE_P(All, GenbigErrorsTest, testing::ValuesIn(genbig_programs()), test_name);

TEST(GenbigReaderTest, reads_to_the_end_and_says_nothing) {
  for (const char* pause : {"0", "1"}) {
    Command command({demo("genbig_reader"), "--pause", pause});
    Outcome outcome = command.stdin_from(pipe_with(std::string(50000, 'x'))).wait();
    EXPECT_EQ(outcome.code, 0) << outcome;
    EXPECT_EQ(outcome.out + outcome.err, "");
  }
}

TEST(GenbigReaderTest, leaves_nothing_unread) {
  // A byte unread would be a writer that dies of SIGPIPE.
  Outcome outcome = run(
      {"/bin/bash", "-c",
       demo("genbig_block") + " --size 1M | " + demo("genbig_reader") + "; echo ${PIPESTATUS[@]}"});
  EXPECT_EQ(outcome.out, "0 0\n") << outcome;
}

TEST(GenbigReaderTest, arguments_without_sense_are_refused_in_one_line) {
  for (const char* pause : {"long", "", "-1", "1.5", "1000001", "99999999999999999999999"}) {
    expect_refused({demo("genbig_reader"), "--pause", pause});
  }
  for (const char* argument : {"--slow", "1000", "--pause"}) {
    expect_refused({demo("genbig_reader"), argument});
  }
}

TEST(GenbigReaderTest, a_stdin_that_cannot_be_read_is_noticed) {
  Command shut({demo("genbig_reader")});
  Outcome outcome = shut.stdin_from(closed()).wait();
  EXPECT_EQ(outcome.code, 1) << outcome;
  expect_one_line_about("stdin: Bad file descriptor", outcome);
  Command directory({demo("genbig_reader")});
  outcome = directory.stdin_from(file("/")).wait();
  EXPECT_EQ(outcome.code, 1) << outcome;
  expect_one_line_about("stdin: Is a directory", outcome);
}

}  // namespace
}  // namespace iotrace::test
