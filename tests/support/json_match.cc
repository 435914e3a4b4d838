// Comparison of a report with an expectation; see json_match.h.
#include "tests/support/json_match.h"

#include <set>

namespace iotrace::test {
namespace {

using nlohmann::json;

bool must_be_equal(const std::string& name) {
  static const std::set<std::string> maps = {"calls_by_name", "errors", "flush_causes",
                                             "calls_by_buffering"};
  return maps.count(name) > 0;
}

void list_differences(const json& actual, const json& expected, const std::string& path,
                      std::string& differences) {
  for (const auto& [name, value] : expected.items()) {
    const std::string field = path + "." + name;
    if (!actual.is_object() || !actual.contains(name)) {
      differences += field + " is missing\n";
    } else if (value.is_object() && !must_be_equal(name)) {
      list_differences(actual.at(name), value, field, differences);
    } else if (actual.at(name) != value) {
      differences += field + " is " + actual.at(name).dump() + ", not " + value.dump() + "\n";
    }
  }
}

}  // namespace

testing::AssertionResult matches(const json& actual, const std::string& expected) {
  std::string differences;
  list_differences(actual, json::parse(expected), "", differences);
  if (differences.empty()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << differences << "in " << actual.dump(1);
}

}  // namespace iotrace::test
