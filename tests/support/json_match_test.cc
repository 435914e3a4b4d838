// Unit tests of the comparison that the scenarios rest on.
#include "tests/support/json_match.h"

namespace iotrace::test {
namespace {

const nlohmann::json kReport = nlohmann::json::parse(
    R"({"calls": 2, "errors": {"EPIPE": 1}, "stdio": {"calls": 5, "buffering": "full"}})");

TEST(JsonMatchTest, fields_that_are_not_named_do_not_matter) {
  EXPECT_TRUE(matches(kReport, R"({"calls": 2, "stdio": {"calls": 5}})"));
}

TEST(JsonMatchTest, another_value_or_a_missing_field_is_told_by_its_path) {
  testing::AssertionResult result =
      matches(kReport, R"({"calls": 3, "stdio": {"buffering": "line", "fflush_calls": 0}})");
  EXPECT_FALSE(result);
  const std::string text = result.message();
  EXPECT_NE(text.find(".calls is 2, not 3"), std::string::npos) << text;
  EXPECT_NE(text.find(".stdio.buffering is \"full\", not \"line\""), std::string::npos) << text;
  EXPECT_NE(text.find(".stdio.fflush_calls is missing"), std::string::npos) << text;
}

TEST(JsonMatchTest, an_unexpected_entry_of_a_map_is_a_difference) {
  EXPECT_FALSE(matches(kReport, R"({"errors": {}})"));
  EXPECT_TRUE(matches(kReport, R"({"errors": {"EPIPE": 1}})"));
}

TEST(JsonMatchTest, nothing_matches_a_report_that_is_not_there) {
  EXPECT_FALSE(matches(nlohmann::json(), R"({"calls": 2})"));
}

}  // namespace
}  // namespace iotrace::test
