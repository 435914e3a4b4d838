// The jobs: what runs, and what tracing it may cost. Goals and bounds are those of the design: the
// traced program runs at its own speed, a process starts in 0.15 ms more, the launcher is there in
// 2 ms, and estimated times are within a tenth.
#include "tests/benchmarks/jobs.h"

#include <unistd.h>

#include <memory>

#include "tests/benchmarks/comparison.h"
#include "tests/support/files.h"
#include "tests/support/paths.h"

namespace iotrace::bench {
namespace {

constexpr Limits kOwnSpeed = {.goal = 1.05, .bound = 1.08};
constexpr Limits kStartUp = {.bound = 0.15};  // milliseconds
constexpr Limits kTenPercent = {.bound = 0.10};

std::string victim(const std::string& name) { return IOTRACE_BENCHMARK_VICTIMS "/bench_" + name; }

// Runs of less than a third of a second would measure the launcher's start as well.
std::string lines(const Effort& effort, int millions) {
  return std::to_string((effort.quick ? (millions + 1) / 2 : millions) * 1'000'000);
}

using Figures = std::vector<Figure>;

Figures write_to(const Job& job, const Effort& effort, int millions, const Sink& sink) {
  return ratio(job.name, {test::demo("write_demo"), lines(effort, millions)}, sink, effort.pairs,
               kOwnSpeed);
}

// In memory, where no disk's mood gets into the figures.
std::string tmpfs_path() { return "/dev/shm/benchmark-of-iotrace." + std::to_string(getpid()); }

Figures write_to_tmpfs(const Job& job, const Effort& effort) {
  const std::string path = tmpfs_path();
  const std::unique_ptr<const char, int (*)(const char*)> removed_at_the_end(path.c_str(), unlink);
  return write_to(job, effort, 2, {Sink::kFile, path});
}

Figures write_to_disk(const Job& job, const Effort& effort) {
  const test::TempDir dir;
  return write_to(job, effort, 2, {Sink::kFile, dir.file("out")});
}

Figures short_files(const Job& job, const Effort& effort) {
  constexpr int kFiles = 100'000;
  return difference(job.name, {victim("short_files"), tmpfs_path(), std::to_string(kFiles)}, kFiles,
                    1, effort.pairs, {});
}

Figures start_up(const Job& job, const Effort& effort) {
  const int children = effort.quick ? 300 : 1000;
  return difference(job.name, {victim("spawner"), std::to_string(children)}, children, 1,
                    effort.pairs, kStartUp);
}

Figures shell_loop(const Job& job, const Effort& effort) {
  const int children = effort.quick ? 300 : 1000;
  const std::string loop =
      "i=0; while [ $i -lt " + std::to_string(children) + " ]; do /bin/true; i=$((i + 1)); done";
  return difference(job.name, {"/bin/sh", "-c", loop}, children, 1, effort.pairs, kStartUp);
}

Figures accuracy_everywhere(const Job& job, const Effort& effort) {
  const test::TempDir dir;
  const std::string demo = test::demo("write_demo");
  const std::string many = lines(effort, 2);
  Figures figures;
  const auto add = [&](const std::string& what, const std::string& count, const Sink& sink) {
    figures.push_back(accuracy(what, {demo, count}, sink, effort.pairs, kTenPercent));
    figures.back().job = job.name;
  };
  add("null", many, {});
  add("file", many, {Sink::kFile, dir.file("out")});
  add("pipe", many, {Sink::kPipe, {}});
  add("stalling pipe", effort.quick ? "100000" : "400000", {Sink::kStallingPipe, {}});
  return figures;
}

}  // namespace

const std::vector<Job>& all_jobs() {
  static const std::vector<Job> jobs = {
      {"write-null", "write_demo to /dev/null",
       [](const Job& job, const Effort& effort) { return write_to(job, effort, 4, {}); }},
      {"printf-null", "printf_demo to /dev/null, buffered",
       [](const Job& job, const Effort& effort) {
         return ratio(job.name, {test::demo("printf_demo"), lines(effort, 20)}, {}, effort.pairs,
                      kOwnSpeed);
       }},
      {"printf-unbuffered", "printf_demo --unbuffered to /dev/null",
       [](const Job& job, const Effort& effort) {
         return ratio(job.name, {test::demo("printf_demo"), "--unbuffered", lines(effort, 3)}, {},
                      effort.pairs, kOwnSpeed);
       }},
      {"write-tmpfs", "write_demo to a file in /dev/shm", write_to_tmpfs},
      {"write-disk", "write_demo to a file in the temporary directory", write_to_disk},
      {"write-pipe", "write_demo to a pipe that is read at full speed",
       [](const Job& job, const Effort& effort) {
         return write_to(job, effort, 2, {Sink::kPipe, {}});
       }},
      {"two-threads", "two threads that write to /dev/null at once",
       [](const Job& job, const Effort& effort) {
         return ratio(job.name, {victim("two_threads"), lines(effort, 2)}, {}, effort.pairs,
                      kOwnSpeed);
       }},
      {"launcher", "iotrace --quiet -- /bin/true, less /bin/true itself",
       [](const Job& job, const Effort& effort) {
         return difference(job.name, {"/bin/true"}, 1, effort.quick ? 20 : 50, effort.pairs,
                           {.bound = 2});
       }},
      {"start-up", "each /bin/true that a traced program forks and executes", start_up},
      {"shell-loop", "each /bin/true that a traced shell runs", shell_loop},
      {"short-files", "each of 100,000 files that are opened, written and closed", short_files},
      {"memory", "what a small program occupies more",
       [](const Job& job, const Effort& effort) {
         return memory(job.name, {victim("memory")}, effort.pairs, {.bound = 512});
       }},
      {"accuracy", "estimated time in calls (traced) over --timing=all (plain)",
       accuracy_everywhere},
  };
  return jobs;
}

}  // namespace iotrace::bench
