// Scenarios: the library as a guest in other programs: what it needs, what it exports, what it
// leaves open.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "tests/support/command.h"
#include "tests/support/paths.h"

namespace iotrace::test {
namespace {

std::set<std::string> matches_in(const std::string& text, const std::string& pattern) {
  std::set<std::string> found;
  const std::regex regex(pattern);
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it) {
    found.insert((*it)[1]);
  }
  return found;
}

TEST(Library, needs_libc_alone) {
  Outcome outcome = run({"readelf", "-d", iotrace_library()});
  ASSERT_EQ(outcome.code, 0) << outcome;
  EXPECT_EQ(matches_in(outcome.out, R"(\(NEEDED\).*\[(.*)\])"), std::set<std::string>{"libc.so.6"});
}

TEST(Library, exports_its_list_and_nothing_else) {
  Outcome outcome = run({"nm", "-D", "--defined-only", iotrace_library()});
  ASSERT_EQ(outcome.code, 0) << outcome;
  std::set<std::string> exported;
  std::istringstream lines(outcome.out);
  for (std::string address, kind, name; lines >> address >> kind >> name;) {
    exported.insert(name.substr(0, name.find('@')));
  }
  const std::string list = read_file(source_file("interpose/exports.def"));
  std::set<std::string> expected = matches_in(list, R"((?:^|\n)\w+\((\w+)[,)])");
  // These call nothing next: they are written in assembly.
  expected.insert({"syscall", "vfork", "__vfork"});
  std::vector<std::string> different;
  std::set_symmetric_difference(exported.begin(), exported.end(), expected.begin(), expected.end(),
                                std::back_inserter(different));
  EXPECT_EQ(different, std::vector<std::string>{});
}

TEST(Library, keeps_no_descriptor_open) {
  const std::vector<std::string> list = {"sh", "-c", "echo first; ls /proc/$$/fd"};
  EXPECT_EQ(traced(list).out, run(list).out);
}

TEST(Library, its_variables_are_the_only_difference_in_the_environment) {
  Outcome plain = run({"env"}), under_iotrace = traced({"env"});
  std::istringstream lines(under_iotrace.out);
  std::string rest;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("LD_PRELOAD=", 0) != 0 && line.rfind("IOTRACE_", 0) != 0) rest += line + "\n";
  }
  EXPECT_EQ(rest, plain.out);
}

}  // namespace
}  // namespace iotrace::test
