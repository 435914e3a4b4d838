#include "cli/kernel_count.h"

#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "cli/snapshot.h"

namespace iotrace {
namespace {

std::string read_all(int fd) {
  std::string text(4096, '\0');
  ssize_t size = pread(fd, text.data(), text.size(), 0);
  text.resize(size > 0 ? static_cast<size_t>(size) : 0);
  return text;
}

std::string read_file(const std::string& path) {
  int fd = keep_above_stderr(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd < 0) return "";
  std::string text = read_all(fd);
  close(fd);
  return text;
}

std::optional<uint64_t> parse_write_calls(const std::string& text) {
  size_t at = text.find("syscw: ");
  if (at == std::string::npos) return std::nullopt;
  return strtoull(text.c_str() + at + strlen("syscw: "), nullptr, 10);
}

std::string process_directory(pid_t pid) { return "/proc/" + std::to_string(pid); }

std::string name_of(pid_t pid) {
  std::string name = read_file(process_directory(pid) + "/comm");
  if (!name.empty() && name.back() == '\n') name.pop_back();
  return name;
}

// The launcher's children, orphans that have come to it included.
std::vector<pid_t> children() {
  std::string text = read_file("/proc/self/task/" + std::to_string(gettid()) + "/children");
  std::vector<pid_t> result;
  const char* at = text.c_str();
  for (char* end;; at = end) {
    long pid = strtol(at, &end, 10);
    if (end == at) return result;
    result.push_back(static_cast<pid_t>(pid));
  }
}

}  // namespace

std::string signal_name(int number) {
  const char* name = sigabbrev_np(number);
  return name != nullptr ? std::string("SIG") + name : "SIG" + std::to_string(number);
}

KernelCount::~KernelCount() {
  for (const auto& [pid, fd] : files_) close(fd);
}

void KernelCount::open_file(pid_t pid) {
  if (files_.contains(pid)) return;
  std::string path = process_directory(pid) + "/io";
  int fd = keep_above_stderr(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd >= 0) files_[pid] = fd;
}

void KernelCount::child_created(pid_t child) { open_file(child); }

void KernelCount::tick() {
  // Root reads the files of zombies and need not hurry.
  if (geteuid() == 0) return;
  for (pid_t pid : children()) open_file(pid);
}

std::vector<LivingProcess> KernelCount::living_children() {
  std::vector<LivingProcess> result;
  for (pid_t pid : children()) result.push_back({pid, name_of(pid)});
  return result;
}

void KernelCount::about_to_reap(pid_t pid, const siginfo_t& info) {
  ReapedProcess process;
  process.pid = pid;
  process.name = name_of(pid);
  open_file(pid);
  auto file = files_.find(pid);
  if (file != files_.end()) {
    process.write_calls = parse_write_calls(read_all(file->second));
    close(file->second);
    files_.erase(file);
  }
  if (info.si_code == CLD_EXITED) {
    process.exit.code = info.si_status;
  } else {
    process.exit.signal = signal_name(info.si_status);
  }
  process.core_dumped = info.si_code == CLD_DUMPED;
  for (uint32_t slot : slots_of_process(arena_, pid, arena_size_)) {
    if (owned_slots_.insert(slot).second) process.slots.push_back(slot);
  }
  reaped_.push_back(std::move(process));
}

}  // namespace iotrace
