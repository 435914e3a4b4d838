// The processes of a run as a tree, made of the images in the arena: an exec continues a process, a
// fork or spawn makes one. Process numbers may be used twice in one run, so that they only tie an
// image to the process that was reaped. Launcher only, pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "cli/kernel_count.h"
#include "cli/snapshot.h"

namespace iotrace {

struct ProcessNode {
  std::vector<const ImageSnapshot*> images;  // in the order in which they replaced each other
  std::optional<size_t> parent;              // index of the process that made it
  std::optional<size_t> reaped;              // index in the list of reaped processes
  int pid() const { return images.back()->pid; }
};

// Parents come before their children.
std::vector<ProcessNode> build_process_tree(const Snapshot& snapshot,
                                            const std::vector<ReapedProcess>& reaped);

}  // namespace iotrace
