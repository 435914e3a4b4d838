// Reports for the tests of the renderers: the one of the design's example (a million printf calls
// through a 4096-byte buffer), and strings as a hostile program could choose them.
#pragma once

#include <string>

#include "cli/report.h"

namespace iotrace {

inline StreamReport sample_stdout() {
  StreamReport out;
  out.target = Target{.kind = "null", .path = "/dev/null"};
  out.calls = 9034;
  out.calls_by_name = {{"write", 9034}};
  out.bytes = 37000000;
  out.bytes_requested = 37000000;
  out.succeeded_calls = 9034;
  out.bytes_per_call = {.mean = 4095.6, .min = 832, .max = 4096};
  out.size_histogram = {{.up_to = 1024, .calls = 1}, {.up_to = 4096, .calls = 9033}};
  out.newline_terminated_calls = 245;
  out.time = {.total_s = 0.0013,
              .estimated = true,
              .timed_calls = 565,
              .p50_ns = 128,
              .p99_ns = 512,
              .max_ns = 8000,
              .histogram = {{.up_to_ns = 128, .calls = 500}, {.up_to_ns = 8192, .calls = 65}}};
  out.stdio = Stdio{.calls = 1000000,
                    .calls_exact = true,
                    .buffering = "full",
                    .buffer_bytes = 4096,
                    .calls_by_buffering = {{"full", 9034}},
                    .flush_causes = {{"full", 9033}, {"exit", 1}},
                    .fflush_calls = 0,
                    .fflush_empty_calls = 0,
                    .unflushed_bytes = 0};
  return out;
}

inline Process sample_process() {
  Process process;
  process.id = 1;
  process.pid = 4242;
  process.command = {"./printf_demo"};
  process.executable = "/home/me/printf_demo";
  process.exit = ExitStatus{.code = 0, .signal = {}};
  process.threads = 1;
  process.counting = "libc-text";
  process.calls = 9034;
  process.bytes = 37000000;
  process.calls_by_name = {{"write", 9034}};
  process.stdout_calls = 9034;
  process.stdout_bytes = 37000000;
  Descriptor descriptor;
  descriptor.fd = 1;
  descriptor.target = {.kind = "null", .path = "/dev/null"};
  descriptor.stream = "stdout";
  descriptor.calls = 9034;
  descriptor.calls_by_name = {{"write", 9034}};
  descriptor.bytes = 37000000;
  process.descriptors = {descriptor};
  return process;
}

inline Report sample_report() {
  Report report;
  report.version = "0.1.0";
  report.command = {"./printf_demo"};
  report.started = "2026-11-30T22:00:00Z";
  report.exit.code = 0;
  report.real_s = 0.034;
  report.user_s = 0.030;
  report.sys_s = 0.002;
  report.max_rss_bytes = 2097152;
  report.out = sample_stdout();
  report.err.target = Target{.kind = "tty", .path = "/dev/pts/3"};
  report.processes = {sample_process()};
  report.coverage.complete = true;
  report.coverage.kernel_calls = 9034;
  report.coverage.counted_calls = 9034;
  report.findings = {{.id = "well-buffered",
                      .severity = "info",
                      .stream = "stdout",
                      .text = "9 034 calls carry 1 000 000 stdio calls: nothing to gain.",
                      .evidence = {{"calls", 9034}, {"stdio_calls_per_call", 110.7}}}};
  return report;
}

// Colour and cursor sequences, a line end, a C1 control (CSI), a bidirectional override, bytes that
// are no UTF-8, and what Markdown would take for markup.
inline const std::string kHostile =
    "a\x1b[2J\nb\xc2\x9b"
    "31m\xe2\x80\xae\xff|`*_<b>[x](y)";

}  // namespace iotrace
