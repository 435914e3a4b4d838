// Compares a report, or a part of it, with what a test expects of it, written as JSON:
//
//   EXPECT_TRUE(matches(outcome.stream("stdout"), R"({"calls": 1, "calls_by_name": {"write":
//   1}})"));
//
// Fields that are not named are not looked at, but maps (calls_by_name, errors, flush_causes, ...)
// and arrays must be equal: a call or a cause that nobody expected is a fault. What differs is
// listed by path.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace iotrace::test {

testing::AssertionResult matches(const nlohmann::json& actual, const std::string& expected);

}  // namespace iotrace::test
