// The command line that printf_demo and write_demo share: how many lines, and for printf_demo how
// stdio is to buffer them. Also what all three programs of the story ask before they write.
#pragma once

#include <stdbool.h>

enum Buffering { kAsStdioComes, kUnbuffered, kLineBuffered };

struct Arguments {
  unsigned long long lines;
  enum Buffering buffering;
};

// Ends the program with status 2 and one line on stderr when the arguments make no sense.
struct Arguments parse_arguments(int argc, char** argv, bool may_choose_buffering);

// True if stdout is open; else says so on stderr. Asks without writing, so that the system calls
// stay the story's own.
bool stdout_is_open(const char* program);
