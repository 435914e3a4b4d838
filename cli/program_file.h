// The file of the first program: will the library be loaded into it? Launcher only.
#pragma once

#include <string>

#include "interpose/shared/arena.h"

namespace iotrace {

struct ProgramFile {
  NotInstrumented reason = NotInstrumented::unknown;  // if it turns out not to answer
  bool can_preload = true;  // false: its loader would complain about our library, or fail
};

// Looks `program` up as execvp does. A program that cannot be found or read is left for the exec to
// complain about.
ProgramFile inspect_first_program(const std::string& program);

}  // namespace iotrace
