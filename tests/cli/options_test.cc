// Tests of cli/options: what each option sets, where parsing stops, and that every error is one
// line with a remedy.
#include "cli/options.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace iotrace {
namespace {

std::variant<Options, std::string> parse(std::vector<std::string> words) {
  words.insert(words.begin(), "iotrace");
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return parse_options(static_cast<int>(words.size()), argv.data());
}

Options parsed(const std::vector<std::string>& words) {
  const auto result = parse(words);
  if (const std::string* error = std::get_if<std::string>(&result)) {
    ADD_FAILURE() << *error;
    return {};
  }
  return std::get<Options>(result);
}

std::string error_of(const std::vector<std::string>& words) {
  const auto result = parse(words);
  const std::string* error = std::get_if<std::string>(&result);
  if (error == nullptr) return "no error";
  EXPECT_TRUE(error->starts_with("iotrace: ")) << *error;
  EXPECT_EQ(error->find('\n'), std::string::npos) << *error;
  return *error;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

using Words = std::vector<std::string>;

TEST(Options, without_options_everything_is_default) {
  const Options options = parsed({"./prog"});
  EXPECT_EQ(options.action, Action::kRun);
  EXPECT_EQ(options.command, Words{"./prog"});
  EXPECT_EQ(options.output, std::nullopt);
  EXPECT_EQ(options.format, Format::kTable);
  EXPECT_EQ(options.export_json, std::nullopt);
  EXPECT_EQ(options.export_markdown, std::nullopt);
  EXPECT_FALSE(options.quiet);
  EXPECT_EQ(options.timing, Timing::sample);
  EXPECT_TRUE(options.follow);
  EXPECT_FALSE(options.wait_all);
  EXPECT_EQ(options.color, ColorMode::kAuto);
}

TEST(Options, every_option_sets_its_field) {
  const Options options =
      parsed({"-o", "a", "--format=markdown", "--export-json", "b", "--export-markdown=c",
              "--timing=all", "--no-follow", "--wait-all", "--color=never", "prog"});
  EXPECT_EQ(options.output, "a");
  EXPECT_EQ(options.format, Format::kMarkdown);
  EXPECT_EQ(options.export_json, "b");
  EXPECT_EQ(options.export_markdown, "c");
  EXPECT_EQ(options.timing, Timing::all);
  EXPECT_FALSE(options.follow);
  EXPECT_TRUE(options.wait_all);
  EXPECT_EQ(options.color, ColorMode::kNever);
  EXPECT_TRUE(parsed({"--quiet", "prog"}).quiet);
  EXPECT_EQ(parsed({"--timing=off", "prog"}).timing, Timing::off);
  EXPECT_EQ(parsed({"--color", "always", "prog"}).color, ColorMode::kAlways);
  EXPECT_EQ(parsed({"--output=x", "prog"}).output, "x");
}

TEST(Options, of_two_formats_the_last_one_wins) {
  EXPECT_EQ(parsed({"--json", "--format=table", "p"}).format, Format::kTable);
  EXPECT_EQ(parsed({"--format=table", "--json", "p"}).format, Format::kJson);
}

TEST(Options, parsing_stops_at_the_first_word_that_is_no_option) {
  const Options options = parsed({"--json", "prog", "--quiet", "-o", "x", "--", "--help"});
  EXPECT_EQ(options.command, (Words{"prog", "--quiet", "-o", "x", "--", "--help"}));
  EXPECT_FALSE(options.quiet);
  EXPECT_EQ(options.output, std::nullopt);
}

TEST(Options, two_dashes_end_the_options) {
  EXPECT_EQ(parsed({"--", "--prog", "x"}).command, (Words{"--prog", "x"}));
  EXPECT_EQ(parsed({"-"}).command, Words{"-"});
}

TEST(Options, planned_command_words_are_program_names) {
  EXPECT_EQ(parsed({"diff", "a", "b"}).command, (Words{"diff", "a", "b"}));
}

TEST(Options, abbreviations_work_while_they_are_unambiguous) {
  EXPECT_EQ(parsed({"--form=json", "p"}).format, Format::kJson);
  EXPECT_EQ(parsed({"--export-j", "x", "p"}).export_json, "x");
  const std::string error = error_of({"--export=x", "p"});
  EXPECT_TRUE(contains(error, "--export-json, --export-markdown")) << error;
}

TEST(Options, help_and_version_need_no_program) {
  EXPECT_EQ(parsed({"--help"}).action, Action::kHelp);
  EXPECT_EQ(parsed({"-h"}).action, Action::kHelp);
  EXPECT_EQ(parsed({"--version", "--bogus"}).action, Action::kVersion);
}

TEST(Options, a_parse_that_ended_inside_a_word_leaves_nothing_to_the_next) {
  EXPECT_EQ(parsed({"-hx"}).action, Action::kHelp);
  EXPECT_EQ(parsed({"prog"}).command, Words{"prog"});
}

TEST(Options, no_program_is_an_error_with_the_usage) {
  EXPECT_EQ(error_of({}),
            "iotrace: no program given (usage: iotrace [options] [--] PROGRAM [ARG...]; try "
            "'iotrace --help')");
  EXPECT_TRUE(contains(error_of({"--json", "--"}), "no program given"));
}

TEST(Options, mistakes_are_told_apart_and_name_the_option) {
  EXPECT_TRUE(contains(error_of({"--bogus", "p"}), "unknown option '--bogus'"));
  EXPECT_TRUE(contains(error_of({"-x", "p"}), "unknown option '-x'"));
  EXPECT_TRUE(contains(error_of({"-o"}), "option '--output' needs a value"));
  EXPECT_TRUE(contains(error_of({"--export-json"}), "option '--export-json' needs a value"));
  EXPECT_TRUE(contains(error_of({"--json=3", "p"}), "option '--json' takes no value"));
  EXPECT_TRUE(contains(error_of({"--help=3", "p"}), "option '--help' takes no value"));
}

TEST(Options, an_unknown_choice_lists_the_known_ones) {
  EXPECT_EQ(error_of({"--format=xml", "p"}),
            "iotrace: option '--format' does not know 'xml' (use one of table, json, markdown)");
  EXPECT_TRUE(contains(error_of({"--timing=", "p"}), "off, sample, all"));
  EXPECT_TRUE(contains(error_of({"--color=red", "p"}), "auto, always, never"));
}

TEST(Options, errors_show_hostile_words_harmless) {
  EXPECT_TRUE(contains(error_of({"--format=\x1b[2J\n", "p"}), "'\\x1b[2J\\x0a'"));
  EXPECT_TRUE(contains(error_of({"--\x1b[2J", "p"}), "'--\\x1b[2J'"));
  EXPECT_TRUE(contains(error_of({"-\x1b", "p"}), "'-\\x1b'"));
  EXPECT_TRUE(contains(error_of({"-\xff", "p"}), "'-\\xff'"));
}

TEST(Options, an_empty_file_name_is_an_error) {
  EXPECT_TRUE(contains(error_of({"-o", "", "p"}), "option '--output' needs a file name"));
  EXPECT_TRUE(contains(error_of({"--export-json=", "p"}), "option '--export-json' needs a file"));
}

TEST(Options, two_outputs_to_one_file_are_an_error_however_it_is_spelled) {
  EXPECT_TRUE(contains(error_of({"-o", "r", "--export-json", "r", "p"}), "same file 'r'"));
  EXPECT_TRUE(contains(error_of({"--export-markdown=./x/../r", "--export-json=r", "p"}),
                       "two outputs go to the same file"));
  EXPECT_EQ(error_of({"-o", "r", "--export-json", "r.json", "p"}), "no error");
}

TEST(Options, quiet_contradicts_a_file_for_the_report) {
  EXPECT_TRUE(contains(error_of({"--quiet", "-o", "r", "p"}), "leave out --quiet"));
  EXPECT_EQ(error_of({"--quiet", "--export-json", "r", "p"}), "no error");
}

TEST(Options, file_names_get_the_launchers_pid) {
  EXPECT_EQ(parsed({"-o", "r.%p", "p"}).output, "r." + std::to_string(getpid()));
}

TEST(ExpandFileName, knows_two_sequences_and_keeps_the_rest) {
  EXPECT_EQ(expand_file_name("a%p.%p", 42), "a42.42");
  EXPECT_EQ(expand_file_name("100%%", 42), "100%");
  EXPECT_EQ(expand_file_name("%%p", 42), "%p");
  EXPECT_EQ(expand_file_name("%d%", 42), "%d%");
}

TEST(WantsColor, asks_the_terminal_and_no_color_only_in_auto_mode) {
  EXPECT_TRUE(wants_color(ColorMode::kAuto, true, nullptr));
  EXPECT_TRUE(wants_color(ColorMode::kAuto, true, ""));
  EXPECT_FALSE(wants_color(ColorMode::kAuto, true, "1"));
  EXPECT_FALSE(wants_color(ColorMode::kAuto, false, nullptr));
  EXPECT_TRUE(wants_color(ColorMode::kAlways, false, "1"));
  EXPECT_FALSE(wants_color(ColorMode::kNever, true, nullptr));
}

}  // namespace
}  // namespace iotrace
