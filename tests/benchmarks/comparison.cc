// The comparisons; see comparison.h. Each pair of runs follows at once on the one before it, in the
// other order, so that what the machine does meanwhile (a neighbour, a clock that throttles) meets
// both sides alike.
#include "tests/benchmarks/comparison.h"

#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "tests/support/files.h"
#include "tests/support/paths.h"

namespace iotrace::bench {
namespace {

Argv under_iotrace(const Argv& argv, const Argv& options = {}) {
  Argv traced = {test::iotrace_binary(), "--quiet"};
  traced.insert(traced.end(), options.begin(), options.end());
  traced.emplace_back("--");
  traced.insert(traced.end(), argv.begin(), argv.end());
  return traced;
}

template <typename Sample>
struct Samples {
  std::vector<Sample> plain, traced;
};

template <typename Plain, typename Traced>
auto in_pairs(int pairs, const Plain& plain, const Traced& traced) {
  Samples<decltype(plain())> samples;
  plain();
  traced();  // the first run of each side meets cold caches and is no sample
  for (int i = 0; i < pairs; ++i) {
    if (i % 2 == 0) samples.plain.push_back(plain());
    samples.traced.push_back(traced());
    if (i % 2 != 0) samples.plain.push_back(plain());
  }
  return samples;
}

Cost measure_repeatedly(const Argv& argv, const Sink& sink, int times) {
  Cost sum;
  for (int i = 0; i < times; ++i) {
    const Cost cost = measure(argv, sink);
    sum.wall_s += cost.wall_s;
    sum.cpu_s += cost.cpu_s;
  }
  return sum;
}

Samples<Cost> measure_pairs(const Argv& argv, const Sink& sink, int pairs, int times) {
  const Argv traced = under_iotrace(argv);
  return in_pairs(
      pairs, [&] { return measure_repeatedly(argv, sink, times); },
      [&] { return measure_repeatedly(traced, sink, times); });
}

// One figure for the wall clock and one for the processor time, in units of `unit_s` seconds.
template <typename Combine>
std::vector<Figure> two_figures(const Figure& common, const Samples<Cost>& samples, double unit_s,
                                const Combine& combine) {
  std::vector<Figure> figures;
  for (double Cost::*member : {&Cost::wall_s, &Cost::cpu_s}) {
    Figure figure = common;
    figure.measure = member == &Cost::wall_s ? "wall" : "cpu";
    for (size_t i = 0; i < samples.plain.size(); ++i) {
      figure.plain.push_back(samples.plain[i].*member / unit_s);
      figure.traced.push_back(samples.traced[i].*member / unit_s);
      figure.result.push_back(combine(figure.plain.back(), figure.traced.back()));
    }
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace

std::vector<Figure> ratio(const std::string& job, const Argv& argv, const Sink& sink, int pairs,
                          Limits limits) {
  const Figure common = {.job = job, .unit = "s", .goal = limits.goal, .bound = limits.bound};
  return two_figures(common, measure_pairs(argv, sink, pairs, 1), 1,
                     [](double plain, double traced) { return traced / plain; });
}

std::vector<Figure> difference(const std::string& job, const Argv& argv, double events, int times,
                               int pairs, Limits limits) {
  const Figure common = {
      .job = job, .unit = "ms", .result_unit = "ms", .goal = limits.goal, .bound = limits.bound};
  return two_figures(common, measure_pairs(argv, Sink{}, pairs, times), events * times / 1e3,
                     [](double plain, double traced) { return traced - plain; });
}

std::vector<Figure> memory(const std::string& job, const Argv& argv, int pairs, Limits limits) {
  struct Occupied {
    double peak_kib = 0;
    double end_kib = 0;
  };
  const auto occupied_by = [](const Argv& command) {
    std::istringstream text(output_of(command));
    Occupied occupied;
    if (!(text >> occupied.peak_kib >> occupied.end_kib)) {
      throw std::runtime_error("the victim said no sizes");
    }
    return occupied;
  };
  const Argv traced = under_iotrace(argv);
  const auto samples = in_pairs(
      pairs, [&] { return occupied_by(argv); }, [&] { return occupied_by(traced); });
  std::vector<Figure> figures;
  for (double Occupied::*member : {&Occupied::peak_kib, &Occupied::end_kib}) {
    Figure figure = {.job = job,
                     .measure = member == &Occupied::peak_kib ? "VmHWM" : "VmRSS",
                     .unit = "KiB",
                     .result_unit = "KiB",
                     .goal = limits.goal,
                     .bound = limits.bound};
    for (size_t i = 0; i < samples.plain.size(); ++i) {
      figure.plain.push_back(samples.plain[i].*member);
      figure.traced.push_back(samples.traced[i].*member);
      figure.result.push_back(figure.traced.back() - figure.plain.back());
    }
    figures.push_back(std::move(figure));
  }
  return figures;
}

Figure accuracy(const std::string& measured, const Argv& argv, const Sink& sink, int pairs,
                Limits limits) {
  const test::TempDir dir;
  const std::string path = dir.file("report.json");
  const auto total_s = [&](const char* timing) {
    measure(under_iotrace(argv, {"--export-json", path, timing}), sink);
    const auto report = nlohmann::json::parse(test::read_file(path));
    return report.at("streams").at("stdout").at("time").at("total_s").get<double>();
  };
  const auto samples = in_pairs(
      pairs, [&] { return total_s("--timing=all"); }, [&] { return total_s("--timing=sample"); });
  Figure figure = {.job = "accuracy",
                   .measure = measured,
                   .unit = "s",
                   .plain = samples.plain,
                   .traced = samples.traced,
                   .goal = limits.goal,
                   .bound = limits.bound,
                   .around_one = true};
  for (size_t i = 0; i < figure.plain.size(); ++i) {
    figure.result.push_back(figure.traced[i] / figure.plain[i]);
  }
  return figure;
}

}  // namespace iotrace::bench
