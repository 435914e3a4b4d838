// The report as a table for people, the default format: the streams side by side, the images, how
// complete the figures are, the findings. Aims at 100 columns. What to say is decided in summary.h;
// here it is laid out.
//
// Colour is added to text that has its final width, because escape sequences take no columns.
#include <algorithm>
#include <cmath>

#include "cli/format_text.h"
#include "cli/render.h"
#include "cli/summary.h"

namespace iotrace {
namespace {

constexpr size_t kWidth = 100;
constexpr size_t kLabelWidth = 24;
constexpr size_t kNoticeIndent = 10;
constexpr size_t kMaxImages = 12;

class Painter {
 public:
  explicit Painter(bool on) : on_(on) {}

  std::string bold(const std::string& text) const { return paint("1", text); }
  std::string by_gravity(Gravity gravity, const std::string& text) const {
    if (gravity == Gravity::kPlain) return text;
    return paint(gravity == Gravity::kAlarm ? "1;31" : "33", text);
  }

 private:
  std::string paint(std::string_view attributes, const std::string& text) const {
    if (!on_ || text.empty()) return text;
    return "\x1b[" + std::string(attributes) + "m" + text + "\x1b[0m";
  }

  bool on_;
};

std::string blanks(size_t width, std::string_view text) {
  const size_t used = display_width(text);
  return std::string(width > used ? width - used : 0, ' ');
}

std::string pad_right(const std::string& text, size_t width) { return text + blanks(width, text); }
std::string pad_left(const std::string& text, size_t width) { return blanks(width, text) + text; }

// `line` without the blanks that padding the last column leaves behind.
std::string finished(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

size_t column_width(size_t columns) { return columns > 2 ? 25 : 27; }

std::string header(const Report& report, const Painter& paint) {
  const std::string facts = sanitize(exit_text(report.exit)) + "    " + fixed(report.real_s, 3) +
                            " s real  " + fixed(report.user_s, 3) + " user  " +
                            fixed(report.sys_s, 3) + " sys    " + population_text(report);
  const std::string name = "iotrace: ";
  const size_t room = kWidth - name.size();
  const std::string command = command_text(report.command, room);
  if (display_width(command) + 4 + display_width(facts) <= room) {
    return finished(paint.bold(name + command) + pad_left(facts, room - display_width(command)));
  }
  return finished(paint.bold(name + command)) + finished(std::string(name.size(), ' ') + facts);
}

// The items of a cell as lines of at most `width` columns, two blanks apart.
std::vector<std::string> cell_lines(const Cell& cell, size_t width) {
  std::vector<std::string> lines;
  for (const std::string& item : cell) {
    const std::string text = shorten_middle(sanitize(item), width);
    if (lines.empty() || display_width(lines.back()) + 2 + display_width(text) > width) {
      lines.push_back(text);
    } else {
      lines.back() += "  " + text;
    }
  }
  return lines;
}

std::string stream_row(const SummaryRow& row, const Painter& paint) {
  const size_t width = column_width(row.cells.size());
  std::vector<std::vector<std::string>> columns;
  size_t height = 1;
  for (const Cell& cell : row.cells) {
    columns.push_back(cell_lines(cell, width - 2));
    height = std::max(height, columns.back().size());
  }
  std::string text;
  for (size_t i = 0; i < height; ++i) {
    std::string line = pad_right(i == 0 ? row.label : "", kLabelWidth);
    for (const std::vector<std::string>& lines : columns) {
      line += pad_right(i < lines.size() ? lines[i] : "", width);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += paint.by_gravity(row.alarming ? Gravity::kAlarm : Gravity::kPlain, line) + "\n";
  }
  return text;
}

std::string streams(const Report& report, const Painter& paint) {
  const std::vector<StreamColumn> columns = shown_streams(report);
  std::string names(kLabelWidth, ' ');
  for (const StreamColumn& column : columns) {
    names += pad_right(std::string(column.name), column_width(columns.size()));
  }
  names.erase(names.find_last_not_of(' ') + 1);
  std::string text = paint.bold(names) + "\n";
  for (const SummaryRow& row : summary_rows(report)) text += stream_row(row, paint);
  return text;
}

// "|############    9 033" for each stream; the longest bar of a stream is its most frequent size.
std::string sizes(const Report& report) {
  const std::vector<SizeRow> rows = size_rows(report);
  const size_t columns = shown_streams(report).size();
  const size_t width = column_width(columns) - 2;
  const size_t bar_width = columns > 2 ? 10 : 12;
  std::vector<uint64_t> most(columns);
  for (const SizeRow& row : rows) {
    for (size_t i = 0; i < columns; ++i) most[i] = std::max(most[i], row.calls[i]);
  }
  std::string text;
  for (const SizeRow& row : rows) {
    const std::string label = text.empty() ? "sizes" : "";
    std::string line = label + pad_left(row.range, kLabelWidth - 1 - label.size()) + " ";
    for (size_t i = 0; i < columns; ++i) {
      if (row.calls[i] == 0) {
        line += std::string(most[i] == 0 ? " " : "|") + std::string(width + 1, ' ');
        continue;
      }
      const double share = static_cast<double>(row.calls[i]) / static_cast<double>(most[i]);
      const auto bar = static_cast<size_t>(std::lround(share * static_cast<double>(bar_width)));
      line += "|" + pad_right(std::string(bar, '#'), bar_width) +
              pad_left(group_digits(row.calls[i]), width - 1 - bar_width) + "  ";
    }
    text += finished(line);
  }
  return text;
}

std::string images(const Report& report, const Painter& paint) {
  const ImageTable table = busiest_images(report, kMaxImages);
  if (table.rows.empty()) return "";
  const std::vector<StreamColumn> columns = shown_streams(report);
  const size_t calls_width = columns.size() > 2 ? 11 : 13;
  const size_t bytes_width = columns.size() > 2 ? 9 : 10;
  constexpr size_t kExitWidth = 19;  // "killed by SIGVTALRM"
  const size_t command_width =
      kWidth - columns.size() * (calls_width + bytes_width) - 2 - kExitWidth;

  std::string names = pad_right("programs", command_width);
  std::string units(command_width, ' ');
  for (const StreamColumn& column : columns) {
    names += pad_left(std::string(column.name), calls_width + bytes_width);
    units += pad_left("calls", calls_width) + pad_left("bytes", bytes_width);
  }
  std::string text = "\n" + paint.bold(names) + "\n" + paint.bold(units + "  exit") + "\n";
  for (const ImageRow& row : table.rows) {
    std::string line =
        pad_right(shorten_middle(sanitize(row.command), command_width), command_width);
    for (size_t i = 0; i < columns.size(); ++i) {
      line += pad_left(row.calls[i], calls_width) + pad_left(row.bytes[i], bytes_width);
    }
    text += finished(line + "  " + sanitize(row.exit));
  }
  if (table.left_out != 0) {
    text += "and " + group_digits(table.left_out) + " more with " +
            count_of(table.left_out_calls, "call", "calls") + " together\n";
  }
  return text;
}

// "coverage  complete: ...", continued below its first line.
std::string notice_text(const Notice& notice, const Painter& paint) {
  std::string text;
  for (const std::string& line : wrap_words(sanitize(notice.text), kWidth - kNoticeIndent)) {
    text += pad_right(text.empty() ? notice.heading : "", kNoticeIndent) +
            paint.by_gravity(notice.gravity, shorten_middle(line, kWidth - kNoticeIndent)) + "\n";
  }
  return text;
}

std::string findings(const Report& report, const Painter& paint) {
  if (report.findings.empty()) return "";
  std::string text = "\n" + paint.bold("findings") + "\n";
  for (const Finding& finding : report.findings) {
    const std::string about = finding.stream.empty() ? "" : ", " + finding.stream;
    const std::string whole = finding.severity + about + ": " + finding.text;
    bool first = true;
    for (const std::string& line : wrap_words(sanitize(whole), kWidth - 2)) {
      text += (first ? "- " : "  ") + paint.by_gravity(gravity_of(finding), line) + "\n";
      first = false;
    }
  }
  return text;
}

}  // namespace

std::string render_table(const Report& report, TableStyle style) {
  const Painter paint(style.color);
  std::string text = header(report, paint) + "\n" + streams(report, paint) + sizes(report) +
                     images(report, paint) + "\n";
  for (const Notice& notice : notices(report)) text += notice_text(notice, paint);
  return text + findings(report, paint);
}

}  // namespace iotrace
