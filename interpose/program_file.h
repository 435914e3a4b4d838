// The file of a program that is about to be executed: will the library be loaded into it, and if
// not, why? Before every exec, in the children of fork and vfork as well. Only ever a guess for the
// report and for what goes into LD_PRELOAD: the program that answers its announcement has settled
// the question.
#pragma once

#include "interpose/shared/arena.h"

namespace iotrace {

struct ProgramFile {
  NotInstrumented reason = NotInstrumented::unknown;  // if nobody answers
  bool can_preload = true;                            // false: the loader would complain, or fail
  // The path that the kernel hands to the program; length 0: not known.
  char path[kPathCapacity];
  uint32_t path_length = 0;
};

// By path as the kernel will get it, or by descriptor where `path` is null.
ProgramFile inspect_program(const char* path, int fd);

// Finds `file` as execvp does and writes its path. False if it is not found, or the path does not
// fit.
bool search_path(const char* file, char* path, size_t capacity);

}  // namespace iotrace
