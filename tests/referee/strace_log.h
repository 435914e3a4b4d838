// Reads what `strace -f -y -o FILE` wrote and turns it into output calls as iotrace defines them:
// one per call that the program made, however many lines it took. Test code; the other side of
// every comparison in this folder.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace iotrace::referee {

struct StraceCall {
  int tid = 0;
  std::string name;
  int fd = -1;  // that the bytes go to: copy_file_range, splice and tee name their source first
  std::string path;   // of that descriptor, as -y prints it
  std::string error;  // "EPIPE"; empty if the call succeeded or never returned
  bool returned = false;
  uint64_t bytes = 0;          // of a call that succeeded
  uint64_t interruptions = 0;  // by signals; the kernel may have counted each part by itself
};

struct CallSum {
  uint64_t calls = 0;
  uint64_t bytes = 0;
  bool operator==(const CallSum&) const = default;
};
void PrintTo(const CallSum& sum, std::ostream* stream);  // for GoogleTest's messages

// What `syscw` of /proc/PID/io can be after these calls. Whether it counts one that failed depends
// on the call and on the error; a copy_file_range that finds nothing to copy is never in it.
struct KernelRange {
  uint64_t at_least = 0;
  uint64_t at_most = 0;
  uint64_t interruptions = 0;  // of these, parts of calls that may have been restarted
};

using CallsByName = std::map<std::string, uint64_t>;

// The output calls in the order in which they began. A call that a signal interrupted and the
// kernel restarted is one call with the result of its last part. To tell that from a program that
// calls again after EINTR, the log should hold rt_sigreturn as well; it and every other call that
// is not an output call is left out of the result.
std::vector<StraceCall> parse_strace_log(std::string_view log);

KernelRange kernel_range(const std::vector<StraceCall>& calls);
CallsByName calls_by_name(const std::vector<StraceCall>& calls);
CallsByName calls_by_name_to_path(const std::vector<StraceCall>& calls, std::string_view path);
std::map<int, CallSum> sums_by_descriptor(const std::vector<StraceCall>& calls);

// The value of strace's `-e`: every call of interpose/shared/calls.def, and rt_sigreturn.
std::string strace_filter();

}  // namespace iotrace::referee
