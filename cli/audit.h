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
  uint64_t perhaps_restarts = 0;         // of the unseen calls: explained by restarted ones
  std::map<uint32_t, ExitStatus> exits;  // by slot: the last image of each reaped process
  std::map<uint32_t, bool> running;      // by slot: the images that still run
};

// `is_running` says whether the process `pid` that started an image at `started_ns`
// (CLOCK_MONOTONIC) is still there.
Audit audit(const Snapshot& snapshot, const std::vector<ReapedProcess>& reaped, bool followed,
            const std::function<bool(int pid, uint64_t started_ns)>& is_running);

// Asks /proc.
bool process_is_running(int pid, uint64_t started_ns);

}  // namespace iotrace
