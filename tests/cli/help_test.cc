// Tests of cli/help: the help names what the parser knows, in lines that a terminal can show.
#include "cli/help.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <variant>

#include "cli/options.h"

namespace iotrace {
namespace {

TEST(HelpText, every_option_that_it_names_is_known_to_the_parser) {
  std::istringstream words{std::string(help_text())};
  int named = 0;
  for (std::string word; words >> word;) {
    if (!word.starts_with("--") || word == "--" || word == "--its" || word == "--own" ||
        word == "--options") {
      continue;
    }
    ++named;
    // Without a value, an option that needs one says so; an unknown option says "unknown".
    std::string name = word.substr(0, word.find('='));
    std::string program = "iotrace";
    char* argv[] = {program.data(), name.data(), nullptr};
    const auto parsed = parse_options(2, argv);
    const std::string* error = std::get_if<std::string>(&parsed);
    EXPECT_TRUE(error == nullptr || error->find("unknown") == std::string::npos) << name;
  }
  EXPECT_GE(named, 12);
}

TEST(HelpText, fits_into_ninety_columns) {
  std::istringstream lines{std::string(help_text())};
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 90U) << line;
}

TEST(VersionText, names_program_and_version_in_one_line) {
  EXPECT_EQ(version_text(), "iotrace " IOTRACE_VERSION "\n");
}

}  // namespace
}  // namespace iotrace
