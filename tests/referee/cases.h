// The programs that iotrace and strace are compared on: one row each. To add one, add a row in
// cases.cc.
#pragma once

#include <string>
#include <vector>

namespace iotrace::referee {

enum class Compare {
  // The whole tree: calls by name, calls and bytes by descriptor number, both streams, the same
  // output.
  kEverything,
  // Calls and bytes of stdout and stderr. For programs that differ from run to run elsewhere: their
  // threads wake each
  // other by writes to pipes and eventfds.
  kStreams,
  // Programs that no library can be loaded into: what iotrace missed must be exactly what it says
  // that it missed.
  kAudit,
};

struct RefereeCase {
  std::string name;
  std::vector<std::string> command;
  // Shell commands, run once and untraced in an empty directory of which each of the two runs gets
  // a copy to work in.
  std::string prepare = {};
  Compare compare = Compare::kEverything;
  // A program that `prepare` cannot do without; if it or command[0] is not installed, the case is
  // skipped.
  std::string needs = {};
};

const std::vector<RefereeCase>& referee_cases();

}  // namespace iotrace::referee
