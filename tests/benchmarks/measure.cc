// Measuring one run; see measure.h. A pipe's reader is a thread of ours, so that its time is not in
// the program's.
#include "tests/benchmarks/measure.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <thread>

namespace iotrace::bench {
namespace {

constexpr size_t kStallEveryBytes = 74'000;
constexpr timespec kStall = {0, 5'000'000};

double now_s() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

[[noreturn]] void fail(const std::string& what, int error) {
  throw std::runtime_error(what + ": " + strerror(error));
}

// Reads to the end; keeps the bytes only where somebody wants them.
void drain(int fd, bool stalling, std::string* kept) {
  static thread_local char buffer[65536];
  size_t since_stall = 0;
  for (ssize_t length; (length = read(fd, buffer, sizeof buffer)) > 0;) {
    if (kept != nullptr) kept->append(buffer, static_cast<size_t>(length));
    since_stall += static_cast<size_t>(length);
    if (stalling && since_stall >= kStallEveryBytes) {
      since_stall -= kStallEveryBytes;
      nanosleep(&kStall, nullptr);
    }
  }
}

pid_t spawn(const std::vector<std::string>& argv, int out) {
  std::vector<char*> words;
  words.reserve(argv.size() + 1);
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  pid_t pid = -1;
  const int error = posix_spawn(&pid, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail(argv[0], error);
  return pid;
}

// `out` is closed as soon as the program has it.
Cost spawn_and_wait(const std::vector<std::string>& argv, int out) {
  const double begin = now_s();
  const pid_t pid = spawn(argv, out);
  close(out);
  int status = 0;
  rusage usage;
  while (wait4(pid, &status, 0, &usage) < 0) {
    if (errno != EINTR) fail("wait4", errno);
  }
  const Cost cost = {now_s() - begin, seconds(usage.ru_utime) + seconds(usage.ru_stime)};
  if (status != 0) throw std::runtime_error(argv[0] + " failed");
  return cost;
}

Cost measure_into_pipe(const std::vector<std::string>& argv, bool stalling, std::string* kept) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe", errno);
  const std::jthread reader([&, fd = ends[0]] {
    drain(fd, stalling, kept);
    close(fd);
  });
  return spawn_and_wait(argv, ends[1]);
}

}  // namespace

Cost measure(const std::vector<std::string>& argv, const Sink& sink) {
  if (sink.kind != Sink::kFile) {
    return measure_into_pipe(argv, sink.kind == Sink::kStallingPipe, nullptr);
  }
  const int out = open(sink.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (out < 0) fail(sink.path, errno);
  return spawn_and_wait(argv, out);
}

std::string output_of(const std::vector<std::string>& argv) {
  std::string text;
  measure_into_pipe(argv, false, &text);
  return text;
}

}  // namespace iotrace::bench
