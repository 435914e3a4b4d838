// Snapshots made by hand, for the tests of what the launcher makes of them: the tree of processes,
// the audit, the report.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/kernel_count.h"
#include "cli/snapshot.h"

namespace iotrace {

// A record with so many successful writes of eight bytes.
inline RecordSnapshot written(int fd, Stream stream, uint64_t calls) {
  RecordSnapshot record;
  record.fd = fd;
  record.stream = stream;
  record.kind = TargetKind::file;
  record.has_target = true;
  record.tally.calls[static_cast<unsigned>(Call::write)] = calls;
  record.tally.bytes = 8 * calls;
  record.tally.sizes[3] = calls;
  return record;
}

// An image of process 100 + slot that made so many calls on its descriptor 1.
inline ImageSnapshot image(uint32_t slot, uint64_t calls = 0) {
  ImageSnapshot result;
  result.slot = slot;
  result.attached = true;
  result.pid = static_cast<int>(100 + slot);
  result.started_ns = 1;
  result.counting = Counting::symbols;
  result.command = {"program" + std::to_string(slot)};
  if (calls > 0) result.records.push_back(written(1, Stream::out, calls));
  return result;
}

inline ImageSnapshot child_of(uint32_t parent, ImageSnapshot image) {
  image.parent = parent;
  return image;
}

inline ImageSnapshot successor_of(uint32_t predecessor, ImageSnapshot image) {
  image.predecessor = predecessor;
  return image;
}

inline Snapshot snapshot_of(std::vector<ImageSnapshot> images) {
  Snapshot snapshot = {};
  snapshot.images = std::move(images);
  return snapshot;
}

// The process of these slots, which the kernel says has made so many calls.
inline ReapedProcess reaped(std::vector<uint32_t> slots, std::optional<uint64_t> write_calls) {
  ReapedProcess process;
  process.pid = static_cast<pid_t>(100 + slots.at(0));
  process.name = "name" + std::to_string(slots[0]);
  process.exit.code = 0;
  process.write_calls = write_calls;
  process.slots = std::move(slots);
  return process;
}

}  // namespace iotrace
