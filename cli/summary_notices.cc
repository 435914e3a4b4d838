// The sentences about the run as a whole: how it ended, and above all how far its figures can be
// trusted. Shared by the table and the Markdown report.
#include <algorithm>
#include <map>
#include <utility>

#include "cli/format_text.h"
#include "cli/summary.h"

namespace iotrace {
namespace {

constexpr size_t kMaxNamed = 12;   // images or parts of the run named one by one
constexpr size_t kNameWidth = 50;  // columns of a command among other words

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string not_instrumented_text(const Coverage& coverage) {
  return count_of(coverage.not_instrumented, "program", "programs") + " could not be counted";
}

// Why the kernel's figures do not decide the matter, where the collector says nothing.
std::string reason_unknown(const Coverage& coverage) {
  if (coverage.note) return *coverage.note;
  std::vector<std::string> reasons;
  if (!coverage.unaudited.empty()) {
    reasons.push_back(count_of(coverage.unaudited.size(), "part of the run", "parts of the run") +
                      " could not be audited");
  }
  if (coverage.not_instrumented != 0) reasons.push_back(not_instrumented_text(coverage));
  return reasons.empty() ? "the kernel's figures could not be compared" : joined(reasons);
}

std::string verdict(const Coverage& coverage) {
  const std::string kernel = count_of(coverage.kernel_calls, "write call", "write calls");
  if (!coverage.complete) {
    return "not known: " + reason_unknown(coverage) + "; of the " + kernel +
           " that the kernel counted, " + group_digits(coverage.unseen_calls) + " were not seen";
  }
  if (!*coverage.complete) {
    if (coverage.unseen_calls == 0) return "INCOMPLETE: " + not_instrumented_text(coverage);
    return "INCOMPLETE: " + group_digits(coverage.unseen_calls) + " of the " + kernel +
           " that the kernel counted were not seen";
  }
  if (coverage.kernel_calls == 0) return "complete: the kernel counted no write calls";
  if (coverage.kernel_calls == 1)
    return "complete: the 1 write call that the kernel counted was seen";
  return "complete: all " + kernel + " that the kernel counted were seen";
}

Notice coverage_notice(const Coverage& coverage) {
  std::string text = verdict(coverage);
  if (coverage.not_auditable_calls != 0) {
    text += "; " + count_of(coverage.not_auditable_calls, "further call", "further calls") +
            " cannot be checked against it";
  }
  if (coverage.complete && coverage.note) text += " (" + *coverage.note + ")";
  const bool complete = coverage.complete.value_or(false);
  return {complete ? Gravity::kPlain : Gravity::kWarning, "coverage", std::move(text)};
}

std::string with_pid(const std::string& name, const std::optional<int>& pid) {
  if (!pid) return name;
  return (name.empty() ? "" : name + " ") + "(pid " + std::to_string(*pid) + ")";
}

// One notice for each of `texts`, and one line for those that are too many.
void add_named(std::vector<Notice>& all, const std::vector<std::string>& texts) {
  const size_t named = std::min(texts.size(), kMaxNamed);
  for (size_t i = 0; i < named; ++i) all.push_back({Gravity::kWarning, "", texts[i]});
  if (texts.size() > named) {
    all.push_back({Gravity::kWarning, "", "and " + group_digits(texts.size() - named) + " more"});
  }
}

std::vector<std::string> not_instrumented(const Report& report) {
  std::vector<std::string> texts;
  for (const Process& process : report.processes) {
    if (process.instrumented) continue;
    const std::string name =
        process.command.empty() ? process.executable.value_or("?") : join_command(process.command);
    texts.push_back("not counted (" + process.not_instrumented_because.value_or("unknown") +
                    "): " + with_pid(name, process.pid));
  }
  return texts;
}

std::vector<std::string> unaudited(const Coverage& coverage) {
  std::vector<std::string> texts;
  for (const Unaudited& part : coverage.unaudited) {
    texts.push_back("not audited (" + part.reason +
                    "): " + with_pid(shorten_middle(sanitize(part.command), kNameWidth), part.pid));
  }
  return texts;
}

}  // namespace

std::vector<Notice> notices(const Report& report) {
  std::vector<Notice> all = {coverage_notice(report.coverage)};
  add_named(all, not_instrumented(report));
  add_named(all, unaudited(report.coverage));
  if (report.overflow_calls != 0) {
    all.push_back(
        {Gravity::kWarning, "overflow",
         count_of(report.overflow_calls, "call", "calls") +
             " did not fit into the tables of the run: counted here, but in no row above"});
  }
  for (const StreamColumn& column : shown_streams(report)) {
    const std::optional<Stdio>& stdio = column.stream->stdio;
    if (!stdio || stdio->unflushed_bytes == 0) continue;
    all.push_back({Gravity::kAlarm, "lost",
                   std::string(column.name) + ": " + format_bytes(stdio->unflushed_bytes) +
                       " were printed into a buffer that was never written"});
  }
  if (report.shared_target) {
    all.push_back(
        {Gravity::kPlain, "streams",
         "stdout and stderr have the same target; what is whose was told by the descriptor"});
  }
  return all;
}

Gravity gravity_of(const Finding& finding) {
  return finding.severity == "warning" ? Gravity::kWarning : Gravity::kPlain;
}

std::string command_text(const std::vector<std::string>& words, size_t width) {
  return shorten_middle(sanitize(join_command(words)), width);
}

std::string exit_text(const ExitStatus& exit) {
  if (exit.signal) return "killed by " + *exit.signal;
  return exit.code ? "exit " + std::to_string(*exit.code) : "exit unknown";
}

std::string population_text(const Report& report) {
  // An exec starts a new image in the same process: its PID stays, and so does its first thread.
  std::map<int, uint64_t> threads_of_pid;
  uint64_t processes = 0;
  uint64_t threads = 0;
  for (const Process& process : report.processes) {
    if (process.pid) {
      uint64_t& most = threads_of_pid[*process.pid];
      most = std::max(most, process.threads);
    } else {
      ++processes;
      threads += process.threads;
    }
  }
  processes += threads_of_pid.size();
  for (const auto& [pid, count] : threads_of_pid) threads += count;
  std::string text = count_of(processes, "process", "processes");
  if (threads != 0) text += ", " + count_of(threads, "thread", "threads");
  return text;
}

}  // namespace iotrace
