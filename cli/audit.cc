#include "cli/audit.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "cli/process_tree.h"

namespace iotrace {
namespace {

struct Sums {
  KernelBounds bounds;
  uint64_t calls = 0;
  uint64_t restartable =
      0;  // calls that waited in a process whose handlers let the kernel restart them

  void add(const Sums& other) {
    bounds.certainly += other.bounds.certainly;
    bounds.possibly += other.bounds.possibly;
    bounds.unfinished += other.bounds.unfinished;
    calls += other.calls;
    restartable += other.restartable;
  }
};

uint64_t calls_that_waited(const RecordSnapshot& record) {
  bool may_wait = record.kind == TargetKind::pipe || record.kind == TargetKind::tty ||
                  record.kind == TargetKind::socket;
  constexpr unsigned kFirstBucket = 15;  // more than 16 us
  uint64_t waited = record.tally.unfinished_calls();
  for (unsigned i = kFirstBucket; may_wait && i < kTimeBuckets; ++i)
    waited += record.tally.times[i];
  return may_wait ? waited : 0;
}

Sums sums_of(const ProcessNode& process) {
  Sums sums;
  for (const ImageSnapshot* image : process.images) {
    for (const RecordSnapshot& record : image->records) {
      bool restarts = image->flags & kImageRestartsCalls;
      sums.add({kernel_bounds(record.tally), record.tally.all_calls(),
                restarts ? calls_that_waited(record) : 0});
    }
    // Of calls that found no room it is known only that they were made.
    sums.bounds.possibly += image->overflow_calls;
    sums.calls += image->overflow_calls;
  }
  return sums;
}

std::string command_of(const ProcessNode& process) {
  std::string text;
  for (const std::string& word : process.images.back()->command)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

bool ignores_children(const ProcessNode& process) {
  return std::any_of(process.images.begin(), process.images.end(), [](const ImageSnapshot* image) {
    return image->flags & kImageIgnoresChildren;
  });
}

// Why the kernel's figure for this process cannot be compared; empty: it can.
std::string why_not_comparable(const ReapedProcess& process) {
  if (!process.write_calls) {
    return "the kernel's count could not be read (a program with other rights, or one that ended "
           "too soon)";
  }
  if (process.core_dumped)
    return "it dumped core, and the dump's own writes are in the kernel's count";
  return "";
}

class Auditor {
 public:
  Auditor(const Snapshot& snapshot, const AuditInput& input)
      : input_(input),
        reaped_(input.reaped),
        processes_(build_process_tree(snapshot, input.reaped)),
        sums_(input.reaped.size()) {}

  Audit run() {
    for (size_t i = 0; i < processes_.size(); ++i) place(i);
    for (size_t i = 0; i < reaped_.size(); ++i) compare(i);
    for (const LivingProcess& living : input_.living) {
      if (!placed_running_.contains(living.pid)) {
        leave_out(living.pid, living.name, "still running, and never heard of before");
      }
    }
    return std::move(audit_);
  }

 private:
  static constexpr size_t kNobody = SIZE_MAX;

  void leave_out(std::optional<int> pid, std::string command, std::string reason) {
    audit_.coverage.unaudited.push_back({pid, std::move(command), std::move(reason)});
  }

  // Finds out in whose figure the process is.
  void place(size_t index) {
    const ProcessNode& process = processes_[index];
    owner_.push_back(kNobody);
    Sums sums = sums_of(process);
    if (process.reaped) {
      owner_[index] = *process.reaped;
      audit_.exits[process.images.back()->slot] = reaped_[*process.reaped].exit;
    } else if (input_.is_running(process.pid(), process.images.front()->started_ns)) {
      audit_.running[process.images.back()->slot] = true;
      placed_running_.insert(process.pid());
      leave_out(process.pid(), command_of(process), "still running");
    } else if (process.parent && ignores_children(processes_[*process.parent])) {
      leave_out(process.pid(), command_of(process),
                "its parent ignores SIGCHLD, so the kernel dropped its count");
      // Perhaps in the figure of whoever reaped the parent, if that began to ignore it later: never
      // held against us.
      owner_[index] = owner_[*process.parent];
      sums.bounds.certainly = 0;
    } else if (process.parent) {
      owner_[index] = owner_[*process.parent];
      // Below a process that is itself in nobody's figure.
      if (owner_[index] == kNobody &&
          !audit_.running.contains(processes_[*process.parent].images.back()->slot)) {
        leave_out(process.pid(), command_of(process), "an ancestor's count is not known");
      }
    } else {
      leave_out(process.pid(), command_of(process), "nobody is known to have reaped it");
    }
    if (owner_[index] == kNobody) {
      audit_.coverage.not_auditable_calls += sums.calls;
    } else {
      sums_[owner_[index]].add(sums);
    }
  }

  void compare(size_t index) {
    const ReapedProcess& process = reaped_[index];
    const Sums& sums = sums_[index];
    Coverage& coverage = audit_.coverage;
    std::string reason = why_not_comparable(process);
    if (!reason.empty()) {
      leave_out(process.pid, process.name, std::move(reason));
      coverage.not_auditable_calls += sums.calls;
      return;
    }
    uint64_t kernel = *process.write_calls;
    coverage.kernel_calls += kernel;
    // Between the bounds the kernel's figure decides how many of the doubtful ones it counted.
    uint64_t counted = std::clamp(kernel, sums.bounds.certainly, sums.bounds.possibly);
    coverage.counted_calls += counted;
    coverage.not_auditable_calls += sums.calls - counted;
    if (kernel > sums.bounds.possibly) {
      uint64_t excess = kernel - sums.bounds.possibly;
      coverage.unseen_calls += excess;
      audit_.perhaps_restarts += sums.restartable > 0 ? excess : 0;
    } else if (kernel > sums.bounds.certainly + sums.bounds.unfinished) {
      audit_.doubtful_calls += sums.bounds.possibly - sums.bounds.certainly;
    } else if (kernel < sums.bounds.certainly) {
      leave_out(process.pid, process.name,
                std::to_string(sums.bounds.certainly - kernel) +
                    " of its and its descendants' calls are not in the kernel's count");
    }
  }

  const AuditInput& input_;
  const std::vector<ReapedProcess>& reaped_;
  std::vector<ProcessNode> processes_;
  std::set<int> placed_running_;
  std::vector<size_t> owner_;  // by process: index of the reaped process in whose figure it is
  std::vector<Sums> sums_;     // by reaped process
  Audit audit_;
};

}  // namespace

Audit audit(const Snapshot& snapshot, const AuditInput& input) {
  Audit result = Auditor(snapshot, input).run();
  Coverage& coverage = result.coverage;
  uint64_t overflow = snapshot.overflow_calls;
  for (const ImageSnapshot& image : snapshot.images) {
    if (!image.attached) ++coverage.not_instrumented;
    overflow += image.overflow_calls;
  }
  coverage.not_instrumented += snapshot.failed_attaches;
  bool only_restarts =
      coverage.unseen_calls > 0 && coverage.unseen_calls == result.perhaps_restarts;
  if (snapshot.failed_attaches > 0) {
    coverage.note = "the shared memory of the run was full: images not counted: " +
                    std::to_string(snapshot.failed_attaches);
  } else if (!input.followed) {
    coverage.note = "--no-follow: descendants were not counted";
  }
  if (only_restarts && !coverage.note) {
    coverage.note = "the kernel counts a write again when it restarts it after a signal: the " +
                    std::to_string(coverage.unseen_calls) + " calls may be such restarts";
  }
  if (result.doubtful_calls > 0 && !coverage.note) {
    coverage.note = "whether the kernel counted " + std::to_string(result.doubtful_calls) +
                    " calls that failed is not known, and as many others may be behind them";
  }
  if ((coverage.unseen_calls > 0 && !only_restarts) || overflow > 0) {
    coverage.complete = false;
  } else if (coverage.unseen_calls == 0 && result.doubtful_calls == 0 &&
             coverage.unaudited.empty() && coverage.not_instrumented == 0) {
    coverage.complete = true;
  }
  return result;
}

bool process_is_running(int pid, uint64_t started_ns) {
  if (pid <= 0) return false;
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return false;
  // Fields after the command's closing parenthesis (proc(5)): the state is the 3rd, the start time
  // the 22nd.
  std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));
  std::string state, skipped;
  fields >> state;
  for (int i = 4; i < 22; ++i) fields >> skipped;
  uint64_t start_ticks = 0;
  fields >> start_ticks;
  if (state == "Z" || state == "X") return false;
  if (started_ns == 0) return true;
  // Another process under that number has started after the image did. (Boot time runs on in
  // suspend: later at most.)
  uint64_t ticks_per_second = static_cast<uint64_t>(sysconf(_SC_CLK_TCK));
  timespec monotonic, boot;
  clock_gettime(CLOCK_MONOTONIC, &monotonic);
  clock_gettime(CLOCK_BOOTTIME, &boot);
  uint64_t suspended_s = static_cast<uint64_t>(boot.tv_sec - monotonic.tv_sec);
  return start_ticks / ticks_per_second <= started_ns / 1'000'000'000 + suspended_s + 1;
}

}  // namespace iotrace
