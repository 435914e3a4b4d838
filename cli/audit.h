// The audit: do our counts agree with the kernel's? Launcher only; a pure function of what was
// collected, apart from asking which processes still run.
//
// Each process that the launcher reaped is compared by itself, with the descendants that ended and
// were reaped below it: an excess here must never make up for a lack there.
#pragma once

#include <functional>
#include <map>

#include "cli/kernel_count.h"
#include "cli/report.h"
#include "cli/snapshot.h"

namespace iotrace {

struct Audit {
  Coverage coverage;
  uint64_t doubtful_calls = 0;           // failed calls behind which unseen ones could hide
  uint64_t perhaps_restarts = 0;         // of the unseen calls: explained by restarted ones
  std::map<uint32_t, ExitStatus> exits;  // by slot: the last image of each reaped process
  std::map<uint32_t, bool> running;      // by slot: the images that still run
};

// What was collected beside the arena's snapshot.
struct AuditInput {
  std::vector<ReapedProcess> reaped;
  std::vector<LivingProcess> living;  // children of the launcher that have not ended
  bool followed = true;
  // Whether the process `pid` that started an image at `started_ns` (CLOCK_MONOTONIC) is there yet.
  std::function<bool(int pid, uint64_t started_ns)> is_running;
};

Audit audit(const Snapshot& snapshot, const AuditInput& input);

// Asks /proc.
bool process_is_running(int pid, uint64_t started_ns);

}  // namespace iotrace
