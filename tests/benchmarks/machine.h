// What a reader of the figures must know about where they come from. Benchmarks only.
#pragma once

#include <string>

namespace iotrace::bench {

// "Intel ..., 2 processors, Linux 6.18.0, glibc 2.36, 2026-12-01, load 0.31"
std::string describe_machine();

}  // namespace iotrace::bench
