// The machine in one line; see machine.h.
#include "tests/benchmarks/machine.h"

#include <gnu/libc-version.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace iotrace::bench {
namespace {

std::string processor_model() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != line.npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

}  // namespace

std::string describe_machine() {
  utsname system;
  uname(&system);
  const time_t now = time(nullptr);
  char date[32];
  strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
  double load[1] = {0};
  getloadavg(load, 1);
  char text[512];
  snprintf(text, sizeof text, "%s, %ld processors, Linux %s, glibc %s, %s, load %.2f",
           processor_model().c_str(), sysconf(_SC_NPROCESSORS_ONLN), system.release,
           gnu_get_libc_version(), date, load[0]);
  return text;
}

}  // namespace iotrace::bench
