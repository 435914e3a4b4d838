// The ways to compare a program with itself under iotrace; each makes the figures of one job.
// Benchmarks only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/benchmarks/measure.h"
#include "tests/benchmarks/table.h"

namespace iotrace::bench {

using Argv = std::vector<std::string>;

struct Limits {
  std::optional<double> goal = {};
  std::optional<double> bound = {};
};

// The traced time over the plain one, by the wall clock and in processor time.
std::vector<Figure> ratio(const std::string& job, const Argv& argv, const Sink& sink, int pairs,
                          Limits limits);

// What one of the `events` of a program (processes that it starts, files that it writes) costs more
// under iotrace, in milliseconds. `times` runs of the program make one sample.
std::vector<Figure> difference(const std::string& job, const Argv& argv, double events, int times,
                               int pairs, Limits limits);

// What the victim `memory` occupies more under iotrace.
std::vector<Figure> memory(const std::string& job, const Argv& argv, int pairs, Limits limits);

// The estimated time in stdout's calls, as by default, over what --timing=all says: not plain and
// traced, but two ways to trace.
Figure accuracy(const std::string& measure, const Argv& argv, const Sink& sink, int pairs,
                Limits limits);

}  // namespace iotrace::bench
