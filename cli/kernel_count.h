// The kernel's own count of write calls: read from /proc/PID/io of every process that the launcher
// reaps. Launcher only.
//
// `syscw` there is what the process did and what the descendants did that it reaped itself. Root
// may read it of a zombie; for others a zombie's files belong to root, so the file is opened while
// the process lives and read when it has ended.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/launch.h"
#include "cli/report.h"
#include "interpose/shared/arena.h"

namespace iotrace {

struct ReapedProcess {
  pid_t pid = 0;
  std::string name;  // as the kernel knows it
  ExitStatus exit;
  bool core_dumped = false;
  std::optional<uint64_t> write_calls;  // unset: could not be read
  std::vector<uint32_t> slots;          // its images in the arena
};

struct LivingProcess {
  pid_t pid = 0;
  std::string name;
};

class KernelCount : public LaunchObserver {
 public:
  explicit KernelCount(const void* arena, uint64_t arena_size = kArenaSize)
      : arena_(arena), arena_size_(arena_size) {}
  ~KernelCount() override;
  KernelCount(const KernelCount&) = delete;
  KernelCount& operator=(const KernelCount&) = delete;

  void child_created(pid_t child) override;
  void about_to_reap(pid_t pid, const siginfo_t& info) override;
  void tick() override;  // finds orphans that have come to us and opens their files

  const std::vector<ReapedProcess>& reaped() const { return reaped_; }

  // The processes that have come to the launcher and have not ended: call it when the run is over.
  static std::vector<LivingProcess> living_children();

 private:
  void open_file(pid_t pid);

  const void* arena_;
  uint64_t arena_size_;
  std::map<pid_t, int> files_;
  std::vector<ReapedProcess> reaped_;
  std::set<uint32_t> owned_slots_;  // of processes reaped so far: their numbers may be used again
};

// "SIGTERM", or "SIG34" for one without a name.
std::string signal_name(int number);

}  // namespace iotrace
