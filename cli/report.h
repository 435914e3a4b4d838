// The report of one run as plain data: what the collector produces and what findings and renderers
// consume. Launcher only. The JSON form ("iotrace-report/1") has the same fields under the same
// names; see render_json.cc.
//
// Conventions: times are seconds as double, except where the name ends in _ns; sizes are bytes; an
// unknown value is an empty optional (JSON null), never 0; what did not happen is 0 or an empty
// container.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace iotrace {

// How a process ended: one of the two is set.
struct ExitStatus {
  std::optional<int> code;
  std::optional<std::string> signal;  // "SIGTERM"
};

struct Target {
  std::string kind;                 // null file pipe tty socket memfd device other
  std::optional<std::string> path;  // unset where none was read
};

struct SizeBucket {
  uint64_t up_to = 0;  // power of two, inclusive; the bucket below ends at half of it
  uint64_t calls = 0;
};

struct TimeBucket {
  uint64_t up_to_ns = 0;  // power of two, inclusive
  uint64_t calls = 0;
};

struct BytesPerCall {  // over the calls that succeeded; all unset when there were none
  std::optional<double> mean;
  std::optional<uint64_t> min;
  std::optional<uint64_t> max;
};

struct CallTime {
  std::optional<double>
      total_s;             // unset when nothing was timed although there were calls (--timing=off)
  bool estimated = false;  // false: every call was timed
  uint64_t timed_calls = 0;
  std::optional<uint64_t> p50_ns;  // upper end of the histogram bucket that holds the percentile
  std::optional<uint64_t> p99_ns;
  std::optional<uint64_t> max_ns;
  std::vector<TimeBucket> histogram;  // only buckets with calls, ascending
};

struct Stdio {
  uint64_t calls = 0;
  bool calls_exact = true;
  std::optional<std::string> buffering;                // full line unbuffered mixed
  std::optional<uint64_t> buffer_bytes;                // the largest seen; 0 for unbuffered
  std::map<std::string, uint64_t> calls_by_buffering;  // none full line unbuffered -> output calls
  std::map<std::string, uint64_t>
      flush_causes;  // full newline fflush close exit unbuffered direct other
  uint64_t fflush_calls = 0;
  uint64_t fflush_empty_calls = 0;
  uint64_t unflushed_bytes = 0;
};

struct StreamReport {
  std::optional<Target> target;  // unset: closed at the start, or the stream is `other`
  uint64_t calls = 0;            // = succeeded_calls + sum of errors + unfinished_calls
  std::map<std::string, uint64_t> calls_by_name;
  uint64_t bytes = 0;
  uint64_t bytes_requested = 0;  // of the calls that returned
  uint64_t succeeded_calls = 0;
  uint64_t short_writes = 0;
  uint64_t unfinished_calls = 0;
  std::map<std::string, uint64_t> errors;  // "EPIPE" -> calls
  BytesPerCall bytes_per_call;
  std::vector<SizeBucket> size_histogram;  // only buckets with calls, ascending
  uint64_t newline_terminated_calls = 0;
  CallTime time;
  std::optional<Stdio> stdio;  // unset where no stdio was used
};

struct Descriptor {
  int fd = -1;
  Target target;
  std::string stream;  // stdout stderr other
  uint64_t calls = 0;
  std::map<std::string, uint64_t> calls_by_name;
  uint64_t bytes = 0;
  std::map<std::string, uint64_t> errors;
  uint64_t unfinished_calls = 0;
};

struct DescriptorsOmitted {
  uint64_t descriptors = 0;
  uint64_t calls = 0;
  uint64_t bytes = 0;
};

// One image: one executed program in one process.
struct Process {
  uint64_t id = 0;
  std::optional<uint64_t> parent_id;
  std::optional<int> pid;
  std::vector<std::string> command;
  bool command_truncated = false;
  std::optional<std::string> executable;
  std::optional<ExitStatus> exit;  // unset unless the launcher reaped it
  bool running = false;
  uint64_t threads = 0;  // that made output calls or stdio calls
  bool instrumented = true;
  std::optional<std::string>
      not_instrumented_because;  // static setuid 32-bit "other libc" "another run" unknown
  std::optional<std::string>
      counting;  // libc-text stdio-table musl symbols; unset: not instrumented
  uint64_t calls = 0;
  uint64_t bytes = 0;
  std::map<std::string, uint64_t> calls_by_name;
  // Calls and bytes per stream, for the table of images.
  uint64_t stdout_calls = 0, stdout_bytes = 0;
  uint64_t stderr_calls = 0, stderr_bytes = 0;
  std::vector<Descriptor> descriptors;  // the 64 with the most calls, busiest first
  DescriptorsOmitted descriptors_omitted;
};

struct Unaudited {
  std::optional<int> pid;
  std::string command;
  std::string reason;
};

struct Coverage {
  std::optional<bool> complete;
  uint64_t kernel_calls = 0;   // sum of syscw over the audited processes
  uint64_t counted_calls = 0;  // the calls that we counted there and that the kernel counts too
  uint64_t unseen_calls = 0;
  uint64_t not_auditable_calls =
      0;  // counted, but of a kind, or in a process, that syscw says nothing about
  uint64_t not_instrumented = 0;  // images
  std::vector<Unaudited> unaudited;
  std::optional<std::string> note;
};

struct Finding {
  std::string id;
  std::string severity;  // info hint warning
  std::string stream;    // stdout stderr other, or empty for the whole run
  std::string text;
  std::map<std::string, double> evidence;
};

struct Report {
  std::string version;
  std::vector<std::string> command;
  std::string started;  // ISO 8601, UTC
  ExitStatus exit;
  double real_s = 0, user_s = 0, sys_s = 0;
  uint64_t max_rss_bytes = 0;
  bool shared_target = false;
  StreamReport out, err, other;  // JSON: streams.stdout, streams.stderr, streams.other
  std::vector<Process> processes;
  Coverage coverage;
  uint64_t overflow_calls = 0;
  std::vector<Finding> findings;
};

}  // namespace iotrace
