// The page that all programs of this story write, and what a C++ program has to provide: main.cc
// does the rest. genbig.py and page.rs hold the same three lines; a test compares what comes out.
#pragma once

#include <string_view>

namespace iotrace {

inline constexpr std::string_view kFirstLine =
    "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>A long page</title>"
    "</head><body>";
inline constexpr std::string_view kElement = "<p>One more line of a page that never ends.</p>";
inline constexpr std::string_view kLastLine = "</body></html>";

// Writes the first line, the element `elements` times, the last line, each with a newline, to
// std::cout. False, with errno set, when stdout takes no more.
bool write_page(unsigned long long elements);

}  // namespace iotrace
