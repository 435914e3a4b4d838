// Parses the launcher's command line with getopt_long. Errors are values, so that main prints them
// in one place and tests can read them.
#include "cli/options.h"

#include <getopt.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <utility>

#include "cli/format_text.h"

namespace iotrace {
namespace {

constexpr int kFirstLongOnly =
    256;  // above every character, so that a value tells the two kinds apart

enum LongOption : int {
  kFormat = kFirstLongOnly,
  kJson,
  kExportJson,
  kExportMarkdown,
  kQuiet,
  kTiming,
  kNoFollow,
  kWaitAll,
  kColor,
  kVersion,
};

constexpr std::array<option, 13> kLongOptions = {{
    {"output", required_argument, nullptr, 'o'},
    {"format", required_argument, nullptr, kFormat},
    {"json", no_argument, nullptr, kJson},
    {"export-json", required_argument, nullptr, kExportJson},
    {"export-markdown", required_argument, nullptr, kExportMarkdown},
    {"quiet", no_argument, nullptr, kQuiet},
    {"timing", required_argument, nullptr, kTiming},
    {"no-follow", no_argument, nullptr, kNoFollow},
    {"wait-all", no_argument, nullptr, kWaitAll},
    {"color", required_argument, nullptr, kColor},
    {"help", no_argument, nullptr, 'h'},
    {"version", no_argument, nullptr, kVersion},
    {nullptr, 0, nullptr, 0},
}};

std::string error(const std::string& what) { return "iotrace: " + what; }

std::string in_quotes(std::string_view word) { return "'" + sanitize(word) + "'"; }

// "--export-json" for the value that getopt gave.
std::string name_of(int value) {
  for (const option& known : kLongOptions) {
    if (known.name != nullptr && known.val == value) return std::string("--") + known.name;
  }
  return std::string("-") + static_cast<char>(value);
}

// getopt says '?' for three different mistakes; `word` is the one that it stopped at.
std::string describe_bad_option(std::string_view word) {
  if (optopt >= kFirstLongOnly || optopt == 'h') {
    return error("option " + in_quotes(name_of(optopt)) + " takes no value (write it without '=')");
  }
  if (optopt != 0) {
    return error("unknown option " + in_quotes(name_of(optopt)) + " (try 'iotrace --help')");
  }
  const std::string_view name = word.substr(2, word.substr(0, word.find('=')).size() - 2);
  std::string candidates;
  for (const option& known : kLongOptions) {
    if (known.name != nullptr && std::string_view(known.name).starts_with(name)) {
      candidates += (candidates.empty() ? "--" : ", --") + std::string(known.name);
    }
  }
  if (!candidates.empty()) {
    return error("option " + in_quotes(word) + " is ambiguous (write out one of " + candidates +
                 ")");
  }
  return error("unknown option " + in_quotes(word) +
               " (try 'iotrace --help'; an option of the program comes after its name)");
}

template <class Value>
using Choices = std::vector<std::pair<std::string_view, Value>>;

// Sets `value` to the choice that `word` names, or returns the error.
template <class Value>
std::optional<std::string> choose(int option_value, std::string_view word,
                                  const Choices<Value>& choices, Value& value) {
  std::string names;
  for (const auto& [name, choice] : choices) {
    if (name == word) {
      value = choice;
      return std::nullopt;
    }
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return error("option '" + name_of(option_value) + "' does not know " + in_quotes(word) +
               " (use one of " + names + ")");
}

std::optional<std::string> set_file(int option_value, std::string_view word,
                                    std::optional<std::string>& file) {
  if (word.empty()) {
    return error("option '" + name_of(option_value) + "' needs a file name, and got an empty one");
  }
  file = expand_file_name(word, getpid());
  return std::nullopt;
}

std::optional<std::string> apply(int value, const char* argument, Options& options) {
  const std::string_view word = argument == nullptr ? "" : argument;
  switch (value) {
    case 'o':
      return set_file(value, word, options.output);
    case kExportJson:
      return set_file(value, word, options.export_json);
    case kExportMarkdown:
      return set_file(value, word, options.export_markdown);
    case kFormat:
      return choose(
          value, word,
          Choices<Format>{
              {"table", Format::kTable}, {"json", Format::kJson}, {"markdown", Format::kMarkdown}},
          options.format);
    case kTiming:
      return choose(
          value, word,
          Choices<Timing>{{"off", Timing::off}, {"sample", Timing::sample}, {"all", Timing::all}},
          options.timing);
    case kColor:
      return choose(value, word,
                    Choices<ColorMode>{{"auto", ColorMode::kAuto},
                                       {"always", ColorMode::kAlways},
                                       {"never", ColorMode::kNever}},
                    options.color);
    case kJson:
      options.format = Format::kJson;
      break;
    case kQuiet:
      options.quiet = true;
      break;
    case kNoFollow:
      options.follow = false;
      break;
    case kWaitAll:
      options.wait_all = true;
      break;
    case 'h':
      options.action = Action::kHelp;
      break;
    case kVersion:
      options.action = Action::kVersion;
      break;
    default:
      break;
  }
  return std::nullopt;
}

// One name for one file, however it was spelled; the plain spelling where the file system cannot
// tell.
std::filesystem::path identity(const std::string& file) {
  std::error_code failed;
  std::filesystem::path path = std::filesystem::absolute(file, failed);
  if (!failed) path = std::filesystem::weakly_canonical(path, failed);
  return failed ? std::filesystem::path(file) : path;
}

std::optional<std::string> check_outputs(const Options& options) {
  if (options.quiet && options.output) {
    return error(
        "--quiet writes no report, so -o has nothing to write (use --export-json or "
        "--export-markdown, or leave out --quiet)");
  }
  const std::array<const std::optional<std::string>*, 3> files = {
      &options.output, &options.export_json, &options.export_markdown};
  for (size_t i = 0; i < files.size(); ++i) {
    for (size_t j = i + 1; j < files.size(); ++j) {
      if (*files[i] && *files[j] && identity(**files[i]) == identity(**files[j])) {
        return error("two outputs go to the same file " + in_quotes(**files[j]) +
                     " (name a file for each)");
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::variant<Options, std::string> parse_options(int argc, char** argv) {
  Options options;
  optind = 0;  // 0, not 1: glibc then forgets an earlier parse altogether
  opterr = 0;
  int value = 0;
  while ((value = getopt_long(argc, argv, "+:o:h", kLongOptions.data(), nullptr)) != -1) {
    if (value == '?') return describe_bad_option(argv[optind - 1]);
    if (value == ':') {
      return error("option '" + name_of(optopt) + "' needs a value (try 'iotrace --help')");
    }
    if (std::optional<std::string> wrong = apply(value, optarg, options)) return *wrong;
    if (options.action != Action::kRun) return options;
  }
  options.command.assign(argv + optind, argv + argc);
  if (options.command.empty()) {
    return error(
        "no program given (usage: iotrace [options] [--] PROGRAM [ARG...]; try 'iotrace --help')");
  }
  if (std::optional<std::string> wrong = check_outputs(options)) return *wrong;
  return options;
}

std::string expand_file_name(std::string_view name, pid_t pid) {
  std::string expanded;
  for (size_t i = 0; i < name.size(); ++i) {
    const char next = i + 1 < name.size() ? name[i + 1] : '\0';
    if (name[i] == '%' && next == 'p') {
      expanded += std::to_string(pid);
      ++i;
    } else if (name[i] == '%' && next == '%') {
      expanded += '%';
      ++i;
    } else {
      expanded += name[i];
    }
  }
  return expanded;
}

bool wants_color(ColorMode mode, bool to_terminal, const char* no_color) {
  if (mode != ColorMode::kAuto) return mode == ColorMode::kAlways;
  return to_terminal && (no_color == nullptr || *no_color == '\0');
}

}  // namespace iotrace
