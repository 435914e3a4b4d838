// How numbers, times and foreign text look to people: shared by the error messages, the findings
// and the renderers. Pure functions, independent of the locale.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace iotrace {

std::string group_digits(uint64_t number);      // "1 000 000"
std::string fixed(double value, int decimals);  // "0.034"
std::string format_ratio(double value);         // "110.7"; from 10 000 on "12 346"
std::string format_size(uint64_t bytes);        // the number alone: "4096"; from 10 000 on "32 768"
std::string format_bytes(
    uint64_t bytes);  // "0", "740 B", "37.0 MB": exact below 10 000, SI units above
std::string format_buffer(uint64_t bytes);      // as format_bytes, but "32 KiB" where that is exact
std::string format_size_range(uint64_t up_to);  // a bucket of the histogram: "2049 .. 4 KiB"
std::string format_duration(double seconds);    // "128 ns", "8.0 us", "1.3 ms", "2.50 s"
std::string count_of(uint64_t number, std::string_view one, std::string_view many);  // "1 call"

// Foreign text (a command, a path) for a terminal or a log: whatever could move the cursor, end the
// line or reorder the line (control characters, C1 and bidirectional controls, line separators) and
// every byte that is not well-formed UTF-8 is shown as \xNN.
std::string sanitize(std::string_view text);

// sanitize, and besides every character that Markdown gives a meaning within a line is escaped by a
// backslash.
std::string escape_markdown(std::string_view text);

// The words of a command in one line, in quotes where the shell would need them; not sanitised.
std::string join_command(const std::vector<std::string>& words);

// The columns that sanitised text takes: one for each code point (double-width characters count as
// one).
size_t display_width(std::string_view text);

// `text` with its middle replaced by "..." where it is wider than `width` columns.
std::string shorten_middle(std::string_view text, size_t width);

// Lines of at most `width` columns, broken at blanks but never inside a number such as 9 034; a
// longer word stays whole.
std::vector<std::string> wrap_words(std::string_view text, size_t width);

}  // namespace iotrace
