// The canary: see launch_canary.h. The launcher's half is ordinary code. The canary's half runs in
// a process that shares the launcher's memory (a clone costs less than a fork, and both need the
// table of sightings) including its thread-local storage: raw system calls only, no libc, nothing
// that could set errno.
//
// Its exit signal is 0, which makes it a "clone child": wait calls without __WALL or __WCLONE never
// see it.
#include "launch_canary.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <new>

#include "raw_syscall.h"

namespace iotrace {

namespace {

constexpr int kSignals = 64;
constexpr size_t kStackBytes = 64 * 1024;  // only the pages that are touched cost
constexpr size_t kKernelSetBytes = 8;      // the kernel's sigset_t, which is smaller than libc's
constexpr int64_t kWatchIntervalNs = 50'000'000;

}  // namespace

struct CanaryMemory {
  // The stack is lowest: it grows away from what follows. Written by the canary alone.
  alignas(16) char stack[kStackBytes];
  // Written by the canary, read by the launcher: when each signal was last seen, 0 for never.
  std::atomic<int64_t> seen_ns[kSignals + 1];
  // Written by the launcher, read by the canary: see wake_launcher_unless_stopped.
  std::atomic<pid_t> watched;
  pid_t launcher;  // written before the canary starts
};

namespace {

long raw_address(const void* address) { return reinterpret_cast<long>(address); }

int64_t raw_monotonic_ns() {
  timespec now = {};
  raw_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, raw_address(&now));
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

// Sits waiting for signals until it is killed. Every signal is blocked: taken here, none is ever
// delivered.
int canary_main(void* argument) {
  auto* memory = static_cast<CanaryMemory*>(argument);
  raw_syscall(SYS_close_range, 0, ~0U, 0);  // a pipe must not live longer because of us
  raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  if (raw_syscall(SYS_getppid) != memory->launcher) return 0;

  const uint64_t every_signal = ~uint64_t{0};
  const timespec interval = {0, kWatchIntervalNs};
  for (;;) {
    const bool watching = memory->watched.load(std::memory_order_acquire) != 0;
    const long number = raw_syscall(SYS_rt_sigtimedwait, raw_address(&every_signal), 0,
                                    watching ? raw_address(&interval) : 0, kKernelSetBytes);
    if (number > 0 && number <= kSignals) {
      memory->seen_ns[number].store(raw_monotonic_ns(), std::memory_order_release);
    } else if (number != -EAGAIN && number != -EINTR) {
      return 1;
    }
    // Asked again: what was watched before the wait may be over. And repeated for as long as it is
    // watched: a SIGCONT that comes before the launcher has stopped is lost.
    const pid_t watched = memory->watched.load(std::memory_order_acquire);
    if (watched != 0 && !is_stopped(watched)) {
      raw_syscall(SYS_kill, memory->launcher, SIGCONT);
    }
  }
}

}  // namespace

Canary::Canary() {
  void* mapping = mmap(nullptr, sizeof(CanaryMemory), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (mapping == MAP_FAILED) return;
  memory_ = static_cast<CanaryMemory*>(mapping);  // zero pages are the initial state
  memory_->launcher = getpid();

  sigset_t every_signal, entry_mask;
  sigfillset(&every_signal);
  sigprocmask(SIG_SETMASK, &every_signal, &entry_mask);
  pid_ = clone(canary_main, memory_->stack + kStackBytes, CLONE_VM, memory_);
  sigprocmask(SIG_SETMASK, &entry_mask, nullptr);
}

Canary::~Canary() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    while (waitpid(pid_, nullptr, __WCLONE) == -1 && errno == EINTR) {
    }
  }
  if (memory_ != nullptr) munmap(memory_, sizeof(CanaryMemory));
}

bool Canary::saw(int signal_number, int64_t since_ns) const {
  if (!alive()) return false;
  const int64_t seen = memory_->seen_ns[signal_number].load(std::memory_order_acquire);
  return seen != 0 && seen >= since_ns;
}

void Canary::wake_launcher_unless_stopped(pid_t program) {
  if (!alive()) return;
  memory_->watched.store(program, std::memory_order_release);
  if (program != 0) kill(pid_, SIGURG);  // out of its endless wait, into one with a timeout
}

bool is_stopped(pid_t pid) {
  // "/proc/PID/stat", whose third field is the state; the second, the program's name in
  // parentheses, may hold any byte.
  char path[32] = "/proc/";
  char digits[12];
  int length = 0;
  for (pid_t rest = pid; rest > 0; rest /= 10) {
    digits[length++] = static_cast<char>('0' + rest % 10);
  }
  char* end = path + 6;
  while (length > 0) *end++ = digits[--length];
  for (const char* suffix = "/stat"; *suffix != '\0'; ++suffix) *end++ = *suffix;
  *end = '\0';

  const long fd = raw_syscall(SYS_openat, AT_FDCWD, raw_address(path), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char text[128];  // PID, name of at most 15 bytes, state
  const long bytes = raw_syscall(SYS_read, fd, raw_address(text), sizeof text);
  raw_syscall(SYS_close, fd);
  for (long at = bytes - 3; at >= 0; --at) {
    // The last one: no later field has a parenthesis.
    if (text[at] == ')') return text[at + 2] == 'T';
  }
  return false;
}

}  // namespace iotrace
