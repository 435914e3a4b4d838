// The figures of each stream as rows and the images as a list: the wording that the table and the
// Markdown report share. The sentences below them are in summary_notices.cc.
#include "cli/summary.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "cli/format_text.h"

namespace iotrace {
namespace {

using Counts = std::map<std::string, uint64_t>;

// "full 9 033", "exit 1": the largest first.
Cell items_of(const Counts& counts) {
  std::vector<std::pair<std::string, uint64_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  Cell items;
  for (const auto& [name, count] : sorted) items.push_back(name + " " + group_digits(count));
  return items;
}

Cell target_item(const Target& target) {
  return {(target.path ? *target.path + " " : "") + "(" + target.kind + ")"};
}

// What `other` went to is in the descriptors of the images.
Cell other_target(const Report& report) {
  std::set<std::pair<std::optional<std::string>, std::string>> targets;
  bool all_known = true;
  for (const Process& process : report.processes) {
    all_known = all_known && process.descriptors_omitted.descriptors == 0;
    for (const Descriptor& descriptor : process.descriptors) {
      if (descriptor.stream == "other") {
        targets.emplace(descriptor.target.path, descriptor.target.kind);
      }
    }
  }
  if (targets.size() == 1 && all_known) {
    return target_item({.kind = targets.begin()->second, .path = targets.begin()->first});
  }
  if (targets.empty()) return {"-"};
  return {(all_known ? "" : "at least ") + count_of(targets.size(), "target", "targets")};
}

Cell buffering(const StreamReport& stream) {
  if (!stream.stdio || !stream.stdio->buffering) return {"-"};
  const Stdio& stdio = *stream.stdio;
  if (*stdio.buffering == "mixed") {
    Cell items = items_of(stdio.calls_by_buffering);
    items.insert(items.begin(), "mixed:");
    return items;
  }
  if (!stdio.buffer_bytes || *stdio.buffer_bytes == 0) return {*stdio.buffering};
  return {*stdio.buffering + ", " + format_buffer(*stdio.buffer_bytes)};
}

Cell stdio_calls(const StreamReport& stream) {
  if (!stream.stdio) return {"0"};
  return {(stream.stdio->calls_exact ? "" : "at least ") + group_digits(stream.stdio->calls)};
}

Cell stdio_calls_per_call(const StreamReport& stream) {
  if (!stream.stdio || stream.stdio->calls == 0 || stream.calls == 0) return {};
  return {
      format_ratio(static_cast<double>(stream.stdio->calls) / static_cast<double>(stream.calls))};
}

Cell calls_by_name(const StreamReport& stream) {
  const bool only_write =
      stream.calls_by_name.size() == 1 && stream.calls_by_name.contains("write");
  return only_write ? Cell{} : items_of(stream.calls_by_name);
}

Cell bytes_per_call(const StreamReport& stream) {
  const BytesPerCall& size = stream.bytes_per_call;
  if (!size.mean) return {};
  Cell items = {format_ratio(*size.mean)};
  if (size.min && size.max) {
    items.push_back("(" + format_size(*size.min) + " .. " + format_size(*size.max) + ")");
  }
  return items;
}

Cell fflush_calls(const StreamReport& stream) {
  if (!stream.stdio || stream.stdio->fflush_calls == 0) return {};
  Cell items = {group_digits(stream.stdio->fflush_calls)};
  if (stream.stdio->fflush_empty_calls != 0) {
    items.push_back("(" + group_digits(stream.stdio->fflush_empty_calls) + " in vain)");
  }
  return items;
}

Cell time_in_calls(const StreamReport& stream, double real_s) {
  if (stream.calls == 0) return {};
  if (!stream.time.total_s) return {"not timed"};
  const double total = *stream.time.total_s;
  Cell items = {(stream.time.estimated ? "~" : "") + format_duration(total)};
  if (real_s > 0) items.push_back("(" + fixed(100 * total / real_s, 1) + " % of real)");
  return items;
}

Cell call_times(const StreamReport& stream) {
  Cell items;
  for (const std::optional<uint64_t>& ns :
       {stream.time.p50_ns, stream.time.p99_ns, stream.time.max_ns}) {
    if (!ns) return {};
    items.push_back(format_duration(static_cast<double>(*ns) * 1e-9));
  }
  return items;
}

Cell count_if_any(uint64_t count) { return count == 0 ? Cell{} : Cell{group_digits(count)}; }

Cell lost(const StreamReport& stream) {
  if (!stream.stdio || stream.stdio->unflushed_bytes == 0) return {};
  return {format_bytes(stream.stdio->unflushed_bytes)};
}

enum class Presence { kAlways, kIfAny };

using CellOf = std::function<Cell(const StreamReport&)>;

void add_row(std::vector<SummaryRow>& rows, const std::vector<StreamColumn>& columns,
             Presence presence, std::string label, const CellOf& cell_of) {
  SummaryRow row = {.label = std::move(label), .cells = {}};
  bool any = false;
  for (const StreamColumn& column : columns) {
    row.cells.push_back(cell_of(*column.stream));
    any = any || !row.cells.back().empty();
  }
  if (any || presence == Presence::kAlways) rows.push_back(std::move(row));
}

std::string image_exit(const Process& process) {
  if (process.running) return "still running";
  return process.exit ? exit_text(*process.exit) : "-";
}

// What is left of `all`; a report that was edited by hand must not wrap around.
uint64_t rest(uint64_t all, uint64_t parts) { return all > parts ? all - parts : 0; }

ImageRow image_row(const Process& process, bool with_other) {
  ImageRow row = {.command = command_text(process.command, kCommandWidth),
                  .calls = {},
                  .bytes = {},
                  .exit = image_exit(process)};
  if (process.command.empty()) row.command = process.executable.value_or("?");
  if (process.command_truncated) row.command += " ...";
  const auto add = [&row, &process](uint64_t calls, uint64_t bytes) {
    row.calls.push_back(process.instrumented ? group_digits(calls) : "-");
    row.bytes.push_back(process.instrumented ? format_bytes(bytes) : "-");
  };
  add(process.stdout_calls, process.stdout_bytes);
  add(process.stderr_calls, process.stderr_bytes);
  if (with_other) {
    add(rest(process.calls, process.stdout_calls + process.stderr_calls),
        rest(process.bytes, process.stdout_bytes + process.stderr_bytes));
  }
  return row;
}

}  // namespace

std::vector<StreamColumn> shown_streams(const Report& report) {
  std::vector<StreamColumn> columns = {{"stdout", &report.out}, {"stderr", &report.err}};
  if (report.other.calls != 0) columns.push_back({"other", &report.other});
  return columns;
}

std::vector<SummaryRow> summary_rows(const Report& report) {
  std::vector<SummaryRow> rows;
  const std::vector<StreamColumn> columns = shown_streams(report);
  const auto always = [&](std::string label, const CellOf& cell_of) {
    add_row(rows, columns, Presence::kAlways, std::move(label), cell_of);
  };
  const auto if_any = [&](std::string label, const CellOf& cell_of) {
    add_row(rows, columns, Presence::kIfAny, std::move(label), cell_of);
  };
  always("target", [&report](const StreamReport& s) {
    if (&s == &report.other) return other_target(report);
    return s.target ? target_item(*s.target) : Cell{"-"};
  });
  always("buffering", buffering);
  always("stdio calls", stdio_calls);
  always("output calls", [](const StreamReport& s) { return Cell{group_digits(s.calls)}; });
  if_any("  by name", calls_by_name);
  if_any("  stdio calls per call", stdio_calls_per_call);
  if_any("  failed", [](const StreamReport& s) { return items_of(s.errors); });
  if_any("  never returned",
         [](const StreamReport& s) { return count_if_any(s.unfinished_calls); });
  if_any("  short writes", [](const StreamReport& s) { return count_if_any(s.short_writes); });
  always("bytes", [](const StreamReport& s) { return Cell{format_bytes(s.bytes)}; });
  if_any("bytes per call", bytes_per_call);
  if_any("flush causes",
         [](const StreamReport& s) { return s.stdio ? items_of(s.stdio->flush_causes) : Cell{}; });
  if_any("fflush calls", fflush_calls);
  if_any("time in calls",
         [&report](const StreamReport& s) { return time_in_calls(s, report.real_s); });
  if_any("  p50, p99, max", call_times);
  const size_t before = rows.size();
  if_any("printed, never written", lost);
  if (rows.size() != before) rows.back().alarming = true;
  return rows;
}

std::vector<SizeRow> size_rows(const Report& report) {
  const std::vector<StreamColumn> columns = shown_streams(report);
  std::map<uint64_t, std::vector<uint64_t>> calls_of_bucket;
  for (size_t i = 0; i < columns.size(); ++i) {
    for (const SizeBucket& bucket : columns[i].stream->size_histogram) {
      std::vector<uint64_t>& calls = calls_of_bucket[bucket.up_to];
      calls.resize(columns.size());
      calls[i] = bucket.calls;
    }
  }
  std::vector<SizeRow> rows;
  rows.reserve(calls_of_bucket.size());
  for (const auto& [up_to, calls] : calls_of_bucket) {
    rows.push_back({format_size_range(up_to), calls});
  }
  return rows;
}

ImageTable busiest_images(const Report& report, size_t limit) {
  ImageTable table;
  if (report.processes.size() < 2) return table;
  std::vector<const Process*> sorted;
  sorted.reserve(report.processes.size());
  for (const Process& process : report.processes) sorted.push_back(&process);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Process* a, const Process* b) { return a->calls > b->calls; });
  for (const Process* process : sorted) {
    if (table.rows.size() < limit) {
      table.rows.push_back(image_row(*process, report.other.calls != 0));
    } else {
      ++table.left_out;
      table.left_out_calls += process->calls;
    }
  }
  return table;
}

}  // namespace iotrace
