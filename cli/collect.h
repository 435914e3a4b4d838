// From what the arena, the kernel and the launch say to the Report. Pure.
#pragma once

#include "cli/audit.h"
#include "cli/launch.h"
#include "cli/report.h"
#include "cli/snapshot.h"

namespace iotrace {

struct RunFacts {
  std::vector<std::string> command;
  std::string started;  // ISO 8601, UTC
  LaunchResult result;
};

Report collect(const RunFacts& facts, const Snapshot& snapshot, Audit audit);

}  // namespace iotrace
