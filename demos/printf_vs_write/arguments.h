// The command line that both programs share: how many lines, and for printf_demo whether stdio may
// buffer them.
#pragma once

#include <stdbool.h>

struct Arguments {
  unsigned long long lines;
  bool unbuffered;
};

// Ends the program with status 2 and one line on stderr when the arguments make no sense.
struct Arguments parse_arguments(int argc, char** argv, bool may_be_unbuffered);

// True if stdout is open; else says so on stderr. Asks without writing, so that the system calls
// stay the story's own.
bool stdout_is_open(const char* program);
