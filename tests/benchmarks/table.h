// The figures of a benchmark and the markdown table that shows them. Benchmarks only.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace iotrace::bench {

struct Spread {
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
};

// `samples` must not be empty.
Spread spread_of(std::vector<double> samples);

// One figure of one job, with a sample for each pair of runs.
struct Figure {
  std::string job = {};
  std::string measure = {};        // what was compared: "wall", "cpu", "VmRSS" ...
  std::string unit = {};           // of plain and traced
  std::string result_unit = {};    // empty: a ratio
  std::vector<double> plain = {};  // without iotrace; of an accuracy job, with --timing=all
  std::vector<double> traced = {};
  std::vector<double> result = {};
  std::optional<double> goal = {};
  std::optional<double> bound = {};
  bool around_one = false;  // goal and bound are the distance from 1, in either direction
};

void print_table(const std::vector<Figure>& figures, std::ostream& stream);

}  // namespace iotrace::bench
