// A second member of the launcher's process group that notices what the whole group is sent.
// Launcher only.
//
// A signal's siginfo is the same for kill(iotrace, SIGTERM) and kill(-group, SIGTERM), but only in
// the first case must the launcher pass it on: in the second one the program has its own already.
// The canary is a tiny process in the same group that nobody would signal alone. What it sees, the
// group was sent.
//
// It also watches over a launcher that has stopped itself because the program was stopped: when the
// program runs again or is gone, it wakes the launcher, which cannot see that for itself.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace iotrace {

struct CanaryMemory;

class Canary {
 public:
  // Starts the process; without it (no memory, process limit) alive() is false and nothing is ever
  // seen.
  Canary();
  ~Canary();
  Canary(const Canary&) = delete;
  Canary& operator=(const Canary&) = delete;

  bool alive() const { return pid_ > 0; }
  pid_t pid() const { return pid_; }

  // True if the group was sent this signal at `since_ns` (CLOCK_MONOTONIC) or later.
  bool saw(int signal_number, int64_t since_ns) const;

  // From now on wakes the launcher with SIGCONT whenever `program` is not stopped; 0 ends that.
  void wake_launcher_unless_stopped(pid_t program);

 private:
  CanaryMemory* memory_ = nullptr;
  pid_t pid_ = -1;
};

// True if the process exists and is stopped by a signal. Makes raw system calls only.
bool is_stopped(pid_t pid);

}  // namespace iotrace
