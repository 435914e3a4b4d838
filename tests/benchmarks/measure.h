// Runs a program once and says what that took, with nothing between the clock and the program but
// fork, exec and wait. Benchmarks only.
#pragma once

#include <string>
#include <vector>

namespace iotrace::bench {

struct Cost {
  double wall_s = 0;
  double cpu_s = 0;  // user and system, of the program and of the descendants that were waited for
};

// Where the program's stdout goes.
struct Sink {
  enum Kind {
    kFile,          // `path`, emptied before
    kPipe,          // read as fast as it comes
    kStallingPipe,  // the reader sleeps 5 ms after every 74 000 bytes: 2000 lines of 37
  };
  Kind kind = kFile;
  std::string path = "/dev/null";
};

// Throws std::runtime_error if the program cannot be run or fails: what it took would mean nothing.
Cost measure(const std::vector<std::string>& argv, const Sink& sink);

// Runs the program and returns what it wrote to stdout.
std::string output_of(const std::vector<std::string>& argv);

}  // namespace iotrace::bench
