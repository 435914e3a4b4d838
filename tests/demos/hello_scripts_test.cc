// demos/hello/check and demos/hello/bench.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/demos/hello_programs.h"

namespace iotrace::test {
namespace {

// A build tree in which the demo programs are what the test wants them to be.
class FakeBuild {
 public:
  FakeBuild() { std::filesystem::create_directory(directory_.file("demos")); }
  std::string path() const { return directory_.path(); }
  void link(const std::string& program, const std::string& name) {
    std::filesystem::create_symlink(demo(program), directory_.file("demos/" + name));
  }
  void script(const std::string& name, const std::string& text) {
    std::string path = directory_.file("demos/" + name);
    write_file(path, "#!/bin/sh\n" + text);
    std::filesystem::permissions(path, std::filesystem::perms::all);
  }

 private:
  TempDir directory_;
};

Outcome check(const FakeBuild& build) {
  return run({source_file("demos/hello/check"), build.path()});
}

TEST(HelloCheckTest, accepts_programs_that_agree) {
  FakeBuild build;
  build.link("hello_turbo", "hello_turbo");
  build.link("hello_speedy", "hello_speedy");
  Outcome outcome = check(build);
  EXPECT_EQ(outcome.code, 0) << outcome;
  EXPECT_EQ(outcome.out.find("DIFFERENT"), std::string::npos) << outcome;
}

TEST(HelloCheckTest, one_other_byte_is_enough_to_fail) {
  FakeBuild build;
  build.link("hello_turbo", "hello_turbo");
  build.script("hello_speedy", demo("hello_speedy") + " $1 | tr 7 8\n");
  Outcome outcome = check(build);
  EXPECT_EQ(outcome.code, 1) << outcome;
  EXPECT_NE(outcome.out.find("DIFFERENT"), std::string::npos) << outcome;
}

TEST(HelloCheckTest, the_right_bytes_and_a_failure_are_not_accepted) {
  FakeBuild build;
  build.script("hello_turbo", demo("hello_turbo") + " $1; exit 3\n");
  EXPECT_EQ(check(build).code, 1);
}

TEST(HelloCheckTest, a_tree_without_programs_is_an_error) {
  FakeBuild build;
  Outcome outcome = check(build);
  EXPECT_EQ(outcome.code, 1) << outcome;
  expect_one_line_about("no programs in", outcome);
}

TEST(HelloBenchTest, a_row_for_each_program_and_the_ratio_to_the_limit) {
  std::filesystem::path build = std::filesystem::path(demo("")).parent_path().parent_path();
  Command command({source_file("demos/hello/bench"), "--count", "1000", "--runs", "1", build});
  Outcome outcome = command.wait();
  EXPECT_EQ(outcome.code, 0) << outcome;
  for (const std::string& program : hello_programs()) {
    EXPECT_NE(outcome.out.find("| " + program + " | "), std::string::npos) << outcome;
  }
  EXPECT_NE(outcome.out.find(" | 3000 | 3.6 |\n"), std::string::npos) << outcome;
  EXPECT_NE(outcome.out.find("a ratio of "), std::string::npos) << outcome;
}

TEST(HelloBenchTest, options_without_sense_are_refused) {
  for (std::vector<std::string> arguments :
       {std::vector<std::string>{"--runs", "0"}, {"--runs"}, {"--count", "-1"}, {"--fast"}}) {
    arguments.insert(arguments.begin(), source_file("demos/hello/bench"));
    Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome;
    expect_one_line_about(arguments[1], outcome);
  }
}

}  // namespace
}  // namespace iotrace::test
