// The table of jobs that can be measured. To add one, add a row in jobs.cc. Benchmarks only.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/benchmarks/table.h"

namespace iotrace::bench {

struct Effort {
  int pairs = 0;       // of runs: one plain, one traced
  bool quick = false;  // shorter runs
};

struct Job {
  std::string name;
  std::string what;
  std::function<std::vector<Figure>(const Job&, const Effort&)> run;
};

const std::vector<Job>& all_jobs();

}  // namespace iotrace::bench
