// Quartiles and the table; see table.h.
#include "tests/benchmarks/table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>

namespace iotrace::bench {
namespace {

// Linear interpolation between the two samples around the position.
double quantile(const std::vector<double>& sorted, double fraction) {
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(position);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

std::string number(double value) {
  char text[64];
  const double size = std::fabs(value);
  snprintf(text, sizeof text, size >= 100 ? "%.0f" : size >= 0.1 ? "%.3f" : "%.5f", value);
  return text;
}

std::string with_unit(double value, const std::string& unit) {
  return unit.empty() ? number(value) : number(value) + " " + unit;
}

std::string limit(const std::optional<double>& value, const Figure& figure) {
  if (!value) return "-";
  return (figure.around_one ? "1 ± " : "") + with_unit(*value, figure.result_unit);
}

std::string verdict(const Figure& figure, double median) {
  const double value = figure.around_one ? std::fabs(median - 1) : median;
  if (figure.bound && value > *figure.bound) return "over the bound";
  if (figure.goal && value > *figure.goal) return "over the goal";
  return figure.goal || figure.bound ? "ok" : "-";
}

}  // namespace

Spread spread_of(std::vector<double> samples) {
  std::ranges::sort(samples);
  return {quantile(samples, 0.25), quantile(samples, 0.5), quantile(samples, 0.75)};
}

void print_table(const std::vector<Figure>& figures, std::ostream& stream) {
  stream << "| job | measure | plain | traced | result | quartiles | goal | bound | |\n"
            "| --- | --- | ---: | ---: | ---: | :---: | ---: | ---: | --- |\n";
  for (const Figure& figure : figures) {
    const Spread result = spread_of(figure.result);
    stream << "| " << figure.job << " | " << figure.measure << " | "
           << with_unit(spread_of(figure.plain).median, figure.unit) << " | "
           << with_unit(spread_of(figure.traced).median, figure.unit) << " | **"
           << with_unit(result.median, figure.result_unit) << "** | "
           << number(result.lower_quartile) << " .. " << number(result.upper_quartile) << " | "
           << limit(figure.goal, figure) << " | " << limit(figure.bound, figure) << " | "
           << verdict(figure, result.median) << " |\n";
  }
}

}  // namespace iotrace::bench
