#include "cli/process_tree.h"

namespace iotrace {

std::vector<ProcessNode> build_process_tree(const Snapshot& snapshot,
                                            const std::vector<ReapedProcess>& reaped) {
  std::map<uint32_t, size_t> reaped_by_slot;
  for (size_t i = 0; i < reaped.size(); ++i) {
    for (uint32_t slot : reaped[i].slots) reaped_by_slot[slot] = i;
  }
  std::vector<ProcessNode> processes;
  std::map<uint32_t, size_t> process_of_slot;
  // A slot is taken by whoever executes or forks, so it is higher than those of its predecessor and
  // parent.
  for (const ImageSnapshot& image : snapshot.images) {
    auto before =
        image.predecessor ? process_of_slot.find(*image.predecessor) : process_of_slot.end();
    size_t index;
    if (before != process_of_slot.end()) {
      index = before->second;
    } else {
      index = processes.size();
      processes.emplace_back();
      auto parent = image.parent ? process_of_slot.find(*image.parent) : process_of_slot.end();
      if (parent != process_of_slot.end()) processes[index].parent = parent->second;
    }
    processes[index].images.push_back(&image);
    process_of_slot[image.slot] = index;
    auto owner = reaped_by_slot.find(image.slot);
    if (owner != reaped_by_slot.end()) processes[index].reaped = owner->second;
  }
  return processes;
}

}  // namespace iotrace
