// The report as JSON, "iotrace-report/1": the form that other programs read, and that the launcher
// reads back. Field names and their order are part of the format. Unknown is null; containers are
// there even when they are empty.
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/render.h"

namespace iotrace {
namespace {

using Json = nlohmann::ordered_json;

template <class Value>
Json nullable(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// Digits below what was measured are noise of the binary form: 4095.638698251052.
double rounded(double value, double steps_per_unit) {
  return std::round(value * steps_per_unit) / steps_per_unit;
}

double to_microseconds(double seconds) { return rounded(seconds, 1e6); }
double to_nanoseconds(double seconds) { return rounded(seconds, 1e9); }

Json counts(const std::map<std::string, uint64_t>& by_name) {
  Json object = Json::object();
  for (const auto& [name, count] : by_name) object[name] = count;
  return object;
}

Json exit_status(const std::optional<ExitStatus>& exit) {
  if (!exit) return nullptr;
  return {{"code", nullable(exit->code)}, {"signal", nullable(exit->signal)}};
}

Json target(const std::optional<Target>& target) {
  if (!target) return nullptr;
  return {{"kind", target->kind}, {"path", nullable(target->path)}};
}

Json bytes_per_call(const BytesPerCall& size) {
  return {{"mean", size.mean ? Json(rounded(*size.mean, 1e3)) : Json(nullptr)},
          {"min", nullable(size.min)},
          {"max", nullable(size.max)}};
}

Json call_time(const CallTime& time) {
  Json histogram = Json::array();
  for (const TimeBucket& bucket : time.histogram) {
    histogram.push_back({{"up_to_ns", bucket.up_to_ns}, {"calls", bucket.calls}});
  }
  return {{"total_s", time.total_s ? Json(to_nanoseconds(*time.total_s)) : Json(nullptr)},
          {"estimated", time.estimated},
          {"timed_calls", time.timed_calls},
          {"p50_ns", nullable(time.p50_ns)},
          {"p99_ns", nullable(time.p99_ns)},
          {"max_ns", nullable(time.max_ns)},
          {"histogram", histogram}};
}

Json stdio(const std::optional<Stdio>& stdio) {
  if (!stdio) return nullptr;
  return {{"calls", stdio->calls},
          {"calls_exact", stdio->calls_exact},
          {"buffering", nullable(stdio->buffering)},
          {"buffer_bytes", nullable(stdio->buffer_bytes)},
          {"calls_by_buffering", counts(stdio->calls_by_buffering)},
          {"flush_causes", counts(stdio->flush_causes)},
          {"fflush_calls", stdio->fflush_calls},
          {"fflush_empty_calls", stdio->fflush_empty_calls},
          {"unflushed_bytes", stdio->unflushed_bytes}};
}

Json stream(const StreamReport& stream) {
  Json histogram = Json::array();
  for (const SizeBucket& bucket : stream.size_histogram) {
    histogram.push_back({{"up_to", bucket.up_to}, {"calls", bucket.calls}});
  }
  return {{"target", target(stream.target)},
          {"calls", stream.calls},
          {"calls_by_name", counts(stream.calls_by_name)},
          {"bytes", stream.bytes},
          {"bytes_requested", stream.bytes_requested},
          {"succeeded_calls", stream.succeeded_calls},
          {"short_writes", stream.short_writes},
          {"unfinished_calls", stream.unfinished_calls},
          {"errors", counts(stream.errors)},
          {"bytes_per_call", bytes_per_call(stream.bytes_per_call)},
          {"size_histogram", histogram},
          {"newline_terminated_calls", stream.newline_terminated_calls},
          {"time", call_time(stream.time)},
          {"stdio", stdio(stream.stdio)}};
}

Json descriptor(const Descriptor& descriptor) {
  return {{"fd", descriptor.fd},
          {"target", target(descriptor.target)},
          {"stream", descriptor.stream},
          {"calls", descriptor.calls},
          {"calls_by_name", counts(descriptor.calls_by_name)},
          {"bytes", descriptor.bytes},
          {"errors", counts(descriptor.errors)},
          {"unfinished_calls", descriptor.unfinished_calls}};
}

Json process(const Process& process) {
  Json descriptors = Json::array();
  for (const Descriptor& each : process.descriptors) descriptors.push_back(descriptor(each));
  const DescriptorsOmitted& omitted = process.descriptors_omitted;
  return {
      {"id", process.id},
      {"parent_id", nullable(process.parent_id)},
      {"pid", nullable(process.pid)},
      {"command", process.command},
      {"command_truncated", process.command_truncated},
      {"executable", nullable(process.executable)},
      {"exit", exit_status(process.exit)},
      {"running", process.running},
      {"threads", process.threads},
      {"instrumented", process.instrumented},
      {"not_instrumented_because", nullable(process.not_instrumented_because)},
      {"counting", nullable(process.counting)},
      {"calls", process.calls},
      {"bytes", process.bytes},
      {"calls_by_name", counts(process.calls_by_name)},
      {"stdout_calls", process.stdout_calls},
      {"stdout_bytes", process.stdout_bytes},
      {"stderr_calls", process.stderr_calls},
      {"stderr_bytes", process.stderr_bytes},
      {"descriptors", descriptors},
      {"descriptors_omitted",
       {{"descriptors", omitted.descriptors}, {"calls", omitted.calls}, {"bytes", omitted.bytes}}}};
}

Json coverage(const Coverage& coverage) {
  Json unaudited = Json::array();
  for (const Unaudited& part : coverage.unaudited) {
    unaudited.push_back(
        {{"pid", nullable(part.pid)}, {"command", part.command}, {"reason", part.reason}});
  }
  return {{"complete", nullable(coverage.complete)},
          {"kernel_calls", coverage.kernel_calls},
          {"counted_calls", coverage.counted_calls},
          {"unseen_calls", coverage.unseen_calls},
          {"not_auditable_calls", coverage.not_auditable_calls},
          {"not_instrumented", coverage.not_instrumented},
          {"unaudited", unaudited},
          {"note", nullable(coverage.note)}};
}

// Evidence is mostly counts, which should look like counts.
Json evidence_value(double value) {
  constexpr double kExactIntegers = 9007199254740992.0;  // 2^53
  if (std::abs(value) < kExactIntegers && value == std::trunc(value)) {
    return static_cast<int64_t>(value);
  }
  return value;
}

Json finding(const Finding& finding) {
  Json evidence = Json::object();
  for (const auto& [name, value] : finding.evidence) evidence[name] = evidence_value(value);
  return {{"id", finding.id},
          {"severity", finding.severity},
          {"stream", finding.stream.empty() ? Json(nullptr) : Json(finding.stream)},
          {"text", finding.text},
          {"evidence", evidence}};
}

}  // namespace

std::string render_json(const Report& report) {
  Json processes = Json::array();
  for (const Process& each : report.processes) processes.push_back(process(each));
  Json findings = Json::array();
  for (const Finding& each : report.findings) findings.push_back(finding(each));
  StreamReport other = report.other;
  other.target = std::nullopt;  // it is many targets, even when it happens to be one
  const Json json = {{"schema", "iotrace-report/1"},
                     {"version", report.version},
                     {"command", report.command},
                     {"started", report.started},
                     {"exit", exit_status(report.exit)},
                     {"real_s", to_microseconds(report.real_s)},
                     {"user_s", to_microseconds(report.user_s)},
                     {"sys_s", to_microseconds(report.sys_s)},
                     {"max_rss_bytes", report.max_rss_bytes},
                     {"streams",
                      {{"shared_target", report.shared_target},
                       {"stdout", stream(report.out)},
                       {"stderr", stream(report.err)},
                       {"other", stream(other)}}},
                     {"processes", processes},
                     {"coverage", coverage(report.coverage)},
                     {"overflow", {{"calls", report.overflow_calls}}},
                     {"findings", findings}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace iotrace
