// What the formats for people say, before any layout: the rows, figures and sentences that the
// table and the Markdown report share. Pure functions of a Report.
//
// The texts may contain foreign text (commands, paths) as it came: a renderer must pass every one
// of them through sanitize or escape_markdown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/report.h"

namespace iotrace {

// Commands may be of any length; more than this of one is no help to a reader.
inline constexpr size_t kCommandWidth = 200;

struct StreamColumn {
  std::string_view name;
  const StreamReport* stream;
};

// stdout and stderr, and other where it carried output.
std::vector<StreamColumn> shown_streams(const Report& report);

using Cell = std::vector<std::string>;  // items; a line may be broken between two of them

struct SummaryRow {
  std::string label;        // two leading blanks: details the row above
  std::vector<Cell> cells;  // one for each shown stream
  bool alarming = false;    // output was lost
};
std::vector<SummaryRow> summary_rows(const Report& report);

struct SizeRow {
  std::string range;            // "2049 .. 4 KiB"
  std::vector<uint64_t> calls;  // one for each shown stream
};
std::vector<SizeRow> size_rows(const Report& report);

struct ImageRow {
  std::string command;
  std::vector<std::string> calls;  // one for each shown stream; "-" where they are not known
  std::vector<std::string> bytes;
  std::string exit;
};
struct ImageTable {
  std::vector<ImageRow> rows;  // the busiest first
  size_t left_out = 0;
  uint64_t left_out_calls = 0;
};
// Nothing when the run had a single image.
ImageTable busiest_images(const Report& report, size_t limit);

enum class Gravity { kPlain, kWarning, kAlarm };

// Something about the run as a whole. An empty heading continues the notice above.
struct Notice {
  Gravity gravity;
  std::string heading;
  std::string text;
};
// Coverage first, then whatever makes the figures less than the whole truth.
std::vector<Notice> notices(const Report& report);

Gravity gravity_of(const Finding& finding);

// The words of a command in one sanitised line of at most `width` columns.
std::string command_text(const std::vector<std::string>& words, size_t width);

std::string exit_text(const ExitStatus& exit);      // "exit 0", "killed by SIGTERM"
std::string population_text(const Report& report);  // "1 process, 1 thread"

}  // namespace iotrace
