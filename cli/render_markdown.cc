// The report as Markdown, for a CI summary, an issue or a merge request: the same rows and
// sentences as the table. Every text that is put in is escaped, so that no command and no path can
// add markup, links or mentions to a page.
#include <utility>

#include "cli/format_text.h"
#include "cli/render.h"
#include "cli/summary.h"

namespace iotrace {
namespace {

constexpr size_t kMaxImages = 12;

// "full 9 033, exit 1"; what is in brackets, or follows a colon, belongs to the item before.
std::string joined(const Cell& cell) {
  std::string text;
  for (const std::string& item : cell) {
    const bool belongs = item.starts_with('(') || text.ends_with(':');
    text += (text.empty() ? "" : belongs ? " " : ", ") + item;
  }
  return text;
}

std::string table_line(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + escape_markdown(cell) + " |";
  return line + "\n";
}

// The rule below the head of a table: the first column to the left, the others as asked.
std::string table_rule(size_t columns, std::string_view others) {
  std::string line = "| --- |";
  for (size_t i = 1; i < columns; ++i) line += " " + std::string(others) + " |";
  return line + "\n";
}

std::string streams(const Report& report) {
  std::vector<std::string> head = {""};
  for (const StreamColumn& column : shown_streams(report)) head.emplace_back(column.name);
  std::string text = table_line(head) + table_rule(head.size(), "---");
  for (const SummaryRow& row : summary_rows(report)) {
    std::vector<std::string> line = {row.label.substr(row.label.find_first_not_of(' '))};
    for (const Cell& cell : row.cells) line.push_back(joined(cell));
    text += table_line(line);
  }
  for (const SizeRow& row : size_rows(report)) {
    std::vector<std::string> line = {"calls of " + row.range + " bytes"};
    for (const uint64_t calls : row.calls) line.push_back(group_digits(calls));
    text += table_line(line);
  }
  return text;
}

std::string images(const Report& report) {
  const ImageTable table = busiest_images(report, kMaxImages);
  if (table.rows.empty()) return "";
  std::vector<std::string> head = {"program"};
  for (const StreamColumn& column : shown_streams(report)) {
    head.push_back(std::string(column.name) + " calls");
    head.emplace_back("bytes");
  }
  head.emplace_back("exit");
  std::string text = "\n### Programs\n\n" + table_line(head) + table_rule(head.size(), "---:");
  for (const ImageRow& row : table.rows) {
    std::vector<std::string> line = {row.command};
    for (size_t i = 0; i < row.calls.size(); ++i) {
      line.push_back(row.calls[i]);
      line.push_back(row.bytes[i]);
    }
    line.push_back(row.exit);
    text += table_line(line);
  }
  if (table.left_out != 0) {
    text += "\nand " + group_digits(table.left_out) + " more with " +
            count_of(table.left_out_calls, "call", "calls") + " together\n";
  }
  return text;
}

std::string list_item(const std::string& heading, const std::string& text) {
  const std::string lead = heading.empty() ? "" : "**" + escape_markdown(heading) + "**: ";
  return "- " + lead + escape_markdown(text) + "\n";
}

std::string findings(const Report& report) {
  if (report.findings.empty()) return "";
  std::string text = "\n### Findings\n\n";
  for (const Finding& finding : report.findings) {
    const std::string about = finding.stream.empty() ? "" : ", " + finding.stream;
    text += list_item(finding.severity + about, finding.text);
  }
  return text;
}

}  // namespace

std::string render_markdown(const Report& report) {
  std::string text = "## iotrace: " + escape_markdown(command_text(report.command, kCommandWidth)) +
                     "\n\n" + escape_markdown(exit_text(report.exit)) + ", " +
                     fixed(report.real_s, 3) + " s real, " + fixed(report.user_s, 3) + " s user, " +
                     fixed(report.sys_s, 3) + " s sys, " + population_text(report) + "\n\n" +
                     streams(report) + images(report) + "\n";
  for (const Notice& notice : notices(report)) text += list_item(notice.heading, notice.text);
  return text + findings(report);
}

}  // namespace iotrace
