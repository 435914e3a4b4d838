// Executing a program so that it is counted too: its slot in the arena, and the environment by
// which it finds it. Runs before every exec and spawn, in the children of fork and vfork as well:
// no allocation by libc, no lock, errno as the real call leaves it.
#pragma once

#include <alloca.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/types.h>

#include "interpose/process.h"
#include "interpose/raw.h"

namespace iotrace {

struct ExecRequest {
  const char* path = nullptr;  // as the kernel will get it; nullptr: not known
  int fd = -1;                 // the program's file, where it is executed by descriptor
  char* const* argv = nullptr;
  char* const* environment = nullptr;
  bool spawns = false;             // in a child that the call makes itself
  bool moves_descriptors = false;  // by file actions that we do not see
};

struct PlannedExec {
  Announcement* announcement = nullptr;  // nullptr: nothing was announced; the environment stays
  uint32_t slot = 0;  // the announcement's, which may be reused once the child has answered it
  bool set_variables = false;
  bool preload = false;
  size_t entries = 0;         // of the new environment, the final null included
  size_t preload_length = 0;  // of the longest LD_PRELOAD entry that may be needed
};

PlannedExec plan_exec(const ExecRequest& request);
void build_environment(const ExecRequest& request, const PlannedExec& plan, char** entries,
                       char* preload, char* slot_variable);
void withdraw(const PlannedExec& plan);

inline constexpr size_t kSlotVariableSize = 32;
inline constexpr size_t kLargestOnStack = 16 * 1024;

// Calls `exec` with the environment that the program is to get. Returns what it returns: for an
// exec, only failure.
template <typename Exec>
long exec_announced(const ExecRequest& request, Exec exec) {
  char* const* original = request.environment;
  PlannedExec plan = plan_exec(request);
  if (plan.announcement == nullptr) return exec(const_cast<char**>(original));
  char** environment = const_cast<char**>(original);
  void* mapped = nullptr;
  size_t mapped_size = 0;
  if (plan.set_variables || plan.preload_length != 0) {
    // Stacks may be small; what is mapped in the child of a vfork stays with its parent.
    size_t size = plan.entries * sizeof(char*);
    if (size > kLargestOnStack) {
      mapped = raw::map(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      mapped_size = size;
      if (mapped == nullptr) return exec(environment);
    }
    environment = static_cast<char**>(mapped != nullptr ? mapped : alloca(size));
    char* preload = static_cast<char*>(alloca(plan.preload_length));
    char* slot_variable = static_cast<char*>(alloca(kSlotVariableSize));
    build_environment(request, plan, environment, preload, slot_variable);
  }
  long result = exec(environment);
  // Our variables made it too long: better uncounted than not run.
  bool too_long = request.spawns ? result == E2BIG : result < 0 && errno == E2BIG;
  if (too_long && environment != original) {
    result = exec(const_cast<char**>(original));
  }
  if (mapped != nullptr) raw::unmap(mapped, mapped_size);
  if (!request.spawns || result != 0) withdraw(plan);
  return result;
}

}  // namespace iotrace
