// The command line of the launcher as a value. Pure but for the launcher's PID, which %p in a file
// name stands for; runs once, at the start of main.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "interpose/shared/arena.h"

namespace iotrace {

enum class Action { kRun, kHelp, kVersion };
enum class Format { kTable, kJson, kMarkdown };
enum class ColorMode { kAuto, kAlways, kNever };

struct Options {
  Action action = Action::kRun;
  std::vector<std::string>
      command;  // the program and its arguments; empty only for help and version
  std::optional<std::string> output;  // unset: the report goes to stderr
  Format format = Format::kTable;
  std::optional<std::string> export_json;
  std::optional<std::string> export_markdown;
  bool quiet = false;
  Timing timing = Timing::sample;
  bool follow = true;
  bool wait_all = false;
  ColorMode color = ColorMode::kAuto;
};

// The options, or one line "iotrace: ..." without a newline that says what is wrong and what to do
// instead. Parsing stops at the first word that is no option; long options may be abbreviated as
// getopt_long allows.
std::variant<Options, std::string> parse_options(int argc, char** argv);

// `name` with %p replaced by `pid` and %% by %; any other % stays.
std::string expand_file_name(std::string_view name, pid_t pid);

// Whether a report to a place that is (or is not) a terminal has colours; `no_color` is the
// variable NO_COLOR, which counts when it is set to anything but nothing (https://no-color.org),
// and which --color=always overrules.
bool wants_color(ColorMode mode, bool to_terminal, const char* no_color);

}  // namespace iotrace
