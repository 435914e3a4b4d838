// The arena as the launcher finds it, in plain data. The traced processes may be writing meanwhile,
// and a crashing or hostile one may have written nonsense: every reference is checked, every list
// is bounded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/tally.h"
#include "interpose/shared/arena.h"

namespace iotrace {

struct RecordSnapshot {
  int fd = -1;  // -1: a catch-all
  Stream stream = Stream::other;
  TargetKind kind = TargetKind::other;
  std::optional<std::string> path;
  bool has_target = false;  // false: the number referred to nothing
  uint64_t merged_descriptors = 0;
  Buffering stdio_mode = Buffering::none;
  uint64_t buffer_bytes = 0;
  uint64_t unflushed_bytes = 0;
  bool stdio_inexact = false;
  Tally tally;
};

// An image, or an exec that was announced and that nobody answered.
struct ImageSnapshot {
  uint32_t slot = 0;
  bool attached = false;
  std::optional<uint32_t> parent;       // slot of the image that made this process
  std::optional<uint32_t> predecessor;  // slot of the image that this one replaced
  int pid = 0;                          // 0: not known
  uint32_t flags = 0;
  uint64_t started_ns = 0;
  Counting counting = Counting::nothing;
  NotInstrumented reason = NotInstrumented::unknown;  // where not attached
  uint64_t threads = 0;
  uint64_t overflow_calls = 0;
  std::vector<std::string> command;
  bool command_truncated = false;
  std::optional<std::string> executable;
  std::vector<RecordSnapshot> records;  // those with calls of any kind
};

struct Snapshot {
  StreamTarget streams[2];
  std::vector<ImageSnapshot> images;  // ascending by slot
  uint64_t overflow_calls = 0;        // of images that are not here
  uint32_t failed_attaches = 0;
};

// `size` is that of the arena's mapping.
Snapshot take_snapshot(const void* arena, uint64_t size = kArenaSize);

// The slots in use whose process has that number, attached or announced. Cheap: for the moment at
// which it is reaped.
std::vector<uint32_t> slots_of_process(const void* arena, int pid, uint64_t size = kArenaSize);

}  // namespace iotrace
