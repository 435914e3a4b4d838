// Tests of cli/render_json: the document parsed back and compared with the report field by field,
// and what is there when nothing happened.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/render.h"
#include "sample_report.h"

namespace iotrace {
namespace {

using Json = nlohmann::ordered_json;

Json parsed(const Report& report) { return Json::parse(render_json(report)); }

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

using Names = std::vector<std::string>;

TEST(RenderJson, top_level_is_as_the_format_says) {
  const Json json = parsed(sample_report());
  EXPECT_EQ(keys(json),
            (Names{"schema", "version", "command", "started", "exit", "real_s", "user_s", "sys_s",
                   "max_rss_bytes", "streams", "processes", "coverage", "overflow", "findings"}));
  EXPECT_EQ(json["schema"], "iotrace-report/1");
  EXPECT_EQ(json["version"], "0.1.0");
  EXPECT_EQ(json["command"], Json::parse(R"(["./printf_demo"])"));
  EXPECT_EQ(json["started"], "2026-11-30T22:00:00Z");
  EXPECT_EQ(json["exit"], Json::parse(R"({"code": 0, "signal": null})"));
  EXPECT_EQ(json["real_s"], 0.034);
  EXPECT_EQ(json["user_s"], 0.030);
  EXPECT_EQ(json["sys_s"], 0.002);
  EXPECT_EQ(json["max_rss_bytes"], 2097152);
  EXPECT_EQ(json["overflow"], Json::parse(R"({"calls": 0})"));
  EXPECT_EQ(keys(json["streams"]), (Names{"shared_target", "stdout", "stderr", "other"}));
  EXPECT_EQ(json["streams"]["shared_target"], false);
}

// The comparison as text also compares the order of the fields.
TEST(RenderJson, a_stream_is_as_the_format_says) {
  const Json expected = Json::parse(R"({
    "target": {"kind": "null", "path": "/dev/null"},
    "calls": 9034,
    "calls_by_name": {"write": 9034},
    "bytes": 37000000, "bytes_requested": 37000000,
    "succeeded_calls": 9034, "short_writes": 0, "unfinished_calls": 0, "errors": {},
    "bytes_per_call": {"mean": 4095.6, "min": 832, "max": 4096},
    "size_histogram": [{"up_to": 1024, "calls": 1}, {"up_to": 4096, "calls": 9033}],
    "newline_terminated_calls": 245,
    "time": {"total_s": 0.0013, "estimated": true, "timed_calls": 565,
             "p50_ns": 128, "p99_ns": 512, "max_ns": 8000,
             "histogram": [{"up_to_ns": 128, "calls": 500}, {"up_to_ns": 8192, "calls": 65}]},
    "stdio": {"calls": 1000000, "calls_exact": true, "buffering": "full", "buffer_bytes": 4096,
              "calls_by_buffering": {"full": 9034},
              "flush_causes": {"exit": 1, "full": 9033},
              "fflush_calls": 0, "fflush_empty_calls": 0, "unflushed_bytes": 0}
  })");
  EXPECT_EQ(parsed(sample_report())["streams"]["stdout"].dump(2), expected.dump(2));
}

TEST(RenderJson, a_process_is_as_the_format_says) {
  const Json expected = Json::parse(R"({
    "id": 1, "parent_id": null, "pid": 4242, "command": ["./printf_demo"],
    "command_truncated": false, "executable": "/home/me/printf_demo",
    "exit": {"code": 0, "signal": null}, "running": false, "threads": 1,
    "instrumented": true, "not_instrumented_because": null, "counting": "libc-text",
    "calls": 9034, "bytes": 37000000, "calls_by_name": {"write": 9034},
    "stdout_calls": 9034, "stdout_bytes": 37000000, "stderr_calls": 0, "stderr_bytes": 0,
    "descriptors": [{"fd": 1, "target": {"kind": "null", "path": "/dev/null"}, "stream": "stdout",
                     "calls": 9034, "calls_by_name": {"write": 9034}, "bytes": 37000000,
                     "errors": {}, "unfinished_calls": 0}],
    "descriptors_omitted": {"descriptors": 0, "calls": 0, "bytes": 0}
  })");
  EXPECT_EQ(parsed(sample_report())["processes"][0].dump(2), expected.dump(2));
}

TEST(RenderJson, coverage_and_findings_are_as_the_format_says) {
  Report report = sample_report();
  report.coverage = {.complete = std::nullopt,
                     .kernel_calls = 10,
                     .counted_calls = 8,
                     .unseen_calls = 2,
                     .not_auditable_calls = 3,
                     .not_instrumented = 1,
                     .unaudited = {{.pid = 7, .command = "x", .reason = "still running"}},
                     .note = "why"};
  report.findings.push_back(
      {.id = "run", .severity = "hint", .stream = "", .text = "t", .evidence = {}});
  const Json json = parsed(report);
  EXPECT_EQ(json["coverage"].dump(),
            R"({"complete":null,"kernel_calls":10,"counted_calls":8,"unseen_calls":2,)"
            R"("not_auditable_calls":3,"not_instrumented":1,)"
            R"("unaudited":[{"pid":7,"command":"x","reason":"still running"}],"note":"why"})");
  EXPECT_EQ(json["findings"][0]["evidence"].dump(),
            R"({"calls":9034,"stdio_calls_per_call":110.7})");
  EXPECT_EQ(json["findings"][1].dump(),
            R"({"id":"run","severity":"hint","stream":null,"text":"t","evidence":{}})");
}

TEST(RenderJson, an_empty_report_has_every_container_and_null_for_the_unknown) {
  const Json json = parsed(Report{});
  EXPECT_EQ(json["command"].dump(), "[]");
  EXPECT_EQ(json["processes"].dump(), "[]");
  EXPECT_EQ(json["findings"].dump(), "[]");
  EXPECT_EQ(json["coverage"]["unaudited"].dump(), "[]");
  EXPECT_EQ(json["exit"].dump(), R"({"code":null,"signal":null})");
  for (const char* name : {"stdout", "stderr", "other"}) {
    const Json& stream = json["streams"][name];
    EXPECT_TRUE(stream["target"].is_null()) << name;
    EXPECT_EQ(stream["errors"].dump(), "{}");
    EXPECT_EQ(stream["calls_by_name"].dump(), "{}");
    EXPECT_EQ(stream["size_histogram"].dump(), "[]");
    EXPECT_EQ(stream["bytes_per_call"].dump(), R"({"mean":null,"min":null,"max":null})");
    EXPECT_EQ(stream["time"].dump(),
              R"({"total_s":null,"estimated":false,"timed_calls":0,"p50_ns":null,"p99_ns":null,)"
              R"("max_ns":null,"histogram":[]})");
    EXPECT_TRUE(stream["stdio"].is_null());
  }
}

TEST(RenderJson, a_process_of_which_little_is_known_has_null_there) {
  Report report;
  report.processes.resize(1);
  report.processes[0].instrumented = false;
  report.processes[0].not_instrumented_because = "static";
  const Json process = parsed(report)["processes"][0];
  for (const char* name : {"parent_id", "pid", "executable", "exit", "counting"}) {
    EXPECT_TRUE(process.at(name).is_null()) << name;
  }
  EXPECT_EQ(process["not_instrumented_because"], "static");
  EXPECT_EQ(process["command"].dump(), "[]");
  EXPECT_EQ(process["descriptors"].dump(), "[]");
}

TEST(RenderJson, the_target_of_other_is_null) {
  Report report = sample_report();
  report.other.target = Target{.kind = "file", .path = "/x"};
  EXPECT_TRUE(parsed(report)["streams"]["other"]["target"].is_null());
}

TEST(RenderJson, a_signal_takes_the_place_of_the_code) {
  Report report;
  report.exit.signal = "SIGTERM";
  EXPECT_EQ(parsed(report)["exit"].dump(), R"({"code":null,"signal":"SIGTERM"})");
}

TEST(RenderJson, bytes_that_are_no_utf8_are_replaced_and_controls_escaped) {
  Report report = sample_report();
  report.command = {"\xff\x1b\n", "\xc3"};
  report.out.errors = {{"\xfe", 1}};
  const std::string text = render_json(report);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  const Json json = Json::parse(text);
  EXPECT_EQ(json["command"][0], "\xef\xbf\xbd\x1b\n");
  EXPECT_EQ(json["command"][1], "\xef\xbf\xbd");
  EXPECT_EQ(json["streams"]["stdout"]["errors"]["\xef\xbf\xbd"], 1);
}

TEST(RenderJson, numbers_have_no_noise_and_counts_no_limit) {
  Report report = sample_report();
  report.out.bytes_per_call.mean = 37000000.0 / 9034;
  report.out.time.total_s = 0.1 + 0.2;
  report.real_s = 1.0 / 3;
  report.out.bytes = UINT64_MAX;
  const std::string text = render_json(report);
  EXPECT_NE(text.find("\"mean\": 4095.639,"), std::string::npos);
  EXPECT_NE(text.find("\"total_s\": 0.3,"), std::string::npos);
  EXPECT_NE(text.find("\"real_s\": 0.333333,"), std::string::npos);
  EXPECT_NE(text.find("\"bytes\": 18446744073709551615,"), std::string::npos);
}

TEST(RenderJson, is_indented_by_two_and_ends_with_a_newline) {
  const std::string text = render_json(sample_report());
  EXPECT_TRUE(text.starts_with("{\n  \"schema\": \"iotrace-report/1\",\n"));
  EXPECT_TRUE(text.ends_with("\n}\n"));
}

}  // namespace
}  // namespace iotrace
