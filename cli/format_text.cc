// Numbers, times and foreign text for people. Foreign text is an attack surface: a file name may
// hold escape sequences that rename the terminal's window or hide the rest of the report, so
// nothing from outside is printed unseen.
#include "cli/format_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace iotrace {
namespace {

constexpr uint64_t kExactBelow = 10'000;

struct Sequence {
  size_t length = 0;  // 0: the text does not start with a well-formed sequence
  char32_t code_point = 0;
};

// The UTF-8 sequence that `text` starts with, as Unicode's table 3-7 defines well-formed: neither
// overlong forms nor surrogates nor anything above U+10FFFF.
Sequence first_sequence(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {1, lead};
  if (lead < 0xc2 || lead > 0xf4) return {};
  const size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (text.size() < length) return {};
  char32_t code_point = lead & (0x7fU >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    code_point = code_point << 6U | (byte(i) & 0x3fU);
  }
  const bool surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
  const bool overlong =
      (length == 3 && code_point < 0x800) || (length == 4 && code_point < 0x10000);
  if (surrogate || overlong || code_point > 0x10ffff) return {};
  return {length, code_point};
}

bool acts_on_the_display(char32_t c) {
  const bool control = c < 0x20 || (c >= 0x7f && c <= 0x9f);
  const bool separator = c == 0x2028 || c == 0x2029;
  const bool reorders = c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
                        (c >= 0x2066 && c <= 0x2069);
  return control || separator || reorders;
}

std::string escaped_byte(char byte) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto value = static_cast<unsigned char>(byte);
  return {'\\', 'x', kDigits[value >> 4U], kDigits[value & 0xfU]};
}

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80; }

// The first byte of code point number `index`, or the end.
size_t offset_of(std::string_view text, size_t index) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (!is_continuation(text[i]) && index-- == 0) return i;
  }
  return text.size();
}

// A multiple of 1024 in the largest unit that keeps it whole: "4 KiB".
std::string binary_size(uint64_t bytes) {
  constexpr std::array kUnits = {" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
  size_t unit = 0;
  for (; bytes != 0 && bytes % 1024 == 0; bytes /= 1024) ++unit;
  return std::to_string(bytes) + kUnits[unit];
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Where the word that starts at `begin` ends; the blank inside 9 034 belongs to the word.
size_t end_of_word(std::string_view text, size_t begin) {
  for (size_t i = begin; i < text.size(); ++i) {
    const bool inside_number =
        i > begin && i + 1 < text.size() && is_digit(text[i - 1]) && is_digit(text[i + 1]);
    if (text[i] == ' ' && !inside_number) return i;
  }
  return text.size();
}

}  // namespace

std::string group_digits(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ' ');
  return digits;
}

std::string fixed(double value, int decimals) {
  std::array<char, 400> buffer = {};  // the largest double has 309 digits before the point
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                    std::chars_format::fixed, decimals);
  return {buffer.data(), result.ptr};
}

std::string format_ratio(double value) {
  if (value >= kExactBelow && value < 1e18) return group_digits(std::llround(value));
  return fixed(value, 1);
}

std::string format_size(uint64_t bytes) {
  return bytes < kExactBelow ? std::to_string(bytes) : group_digits(bytes);
}

std::string format_bytes(uint64_t bytes) {
  if (bytes == 0) return "0";
  if (bytes < kExactBelow) return std::to_string(bytes) + " B";
  constexpr std::array kUnits = {" kB", " MB", " GB", " TB", " PB", " EB"};
  uint64_t tenth = 100;  // of the unit
  for (size_t unit = 0;; ++unit, tenth *= 1000) {
    const uint64_t tenths = bytes / tenth + (bytes % tenth >= tenth / 2 ? 1 : 0);
    if (tenths < 10'000 || unit + 1 == kUnits.size()) {
      return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + kUnits[unit];
    }
  }
}

std::string format_buffer(uint64_t bytes) {
  return bytes >= kExactBelow && bytes % 1024 == 0 ? binary_size(bytes) : format_bytes(bytes);
}

std::string format_size_range(uint64_t up_to) {
  if (up_to <= 1) return up_to == 0 ? "0" : "0 .. 1";
  std::string upper = up_to % 1024 == 0 ? binary_size(up_to) : std::to_string(up_to);
  const uint64_t below = up_to / 2;
  if (below + 1 == up_to) return upper;
  if (below < kExactBelow) return std::to_string(below + 1) + " .. " + upper;
  const std::string lower = binary_size(below);
  const bool same_unit = lower.substr(lower.find(' ')) == upper.substr(upper.find(' '));
  return ">" + (same_unit ? lower.substr(0, lower.find(' ')) : lower) + " .. " + upper;
}

std::string format_duration(double seconds) {
  if (seconds == 0) return "0";
  if (seconds < 999.5e-9) return fixed(seconds * 1e9, 0) + " ns";
  if (seconds < 999.95e-6) return fixed(seconds * 1e6, 1) + " us";
  if (seconds < 999.95e-3) return fixed(seconds * 1e3, 1) + " ms";
  return fixed(seconds, 2) + " s";
}

std::string count_of(uint64_t number, std::string_view one, std::string_view many) {
  return group_digits(number) + " " + std::string(number == 1 ? one : many);
}

std::string sanitize(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const Sequence sequence = first_sequence(text);
    const std::string_view bytes = text.substr(0, sequence.length == 0 ? 1 : sequence.length);
    if (sequence.length != 0 && !acts_on_the_display(sequence.code_point)) {
      safe += bytes;
    } else {
      for (const char byte : bytes) safe += escaped_byte(byte);
    }
    text.remove_prefix(bytes.size());
  }
  return safe;
}

std::string escape_markdown(std::string_view text) {
  constexpr std::string_view kSpecial = "\\|`*_<>[]&~#$!";
  std::string escaped;
  for (const char c : sanitize(text)) {
    if (kSpecial.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string join_command(const std::vector<std::string>& words) {
  constexpr std::string_view kNeedsQuotes = " \t\n\"'\\$`&|;<>()*?[]{}~#!";
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_of(kNeedsQuotes) == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (const char c : text) width += is_continuation(c) ? 0 : 1;
  return width;
}

std::string shorten_middle(std::string_view text, size_t width) {
  const size_t full = display_width(text);
  if (full <= width) return std::string(text);
  constexpr std::string_view kGap = "...";
  const size_t kept = width > kGap.size() ? width - kGap.size() : 0;
  const size_t head = kept / 2;
  return std::string(text.substr(0, offset_of(text, head))) + std::string(kGap) +
         std::string(text.substr(offset_of(text, full - (kept - head))));
}

std::vector<std::string> wrap_words(std::string_view text, size_t width) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = end_of_word(text, begin);
    const std::string word(text.substr(begin, end - begin));
    if (lines.empty() || display_width(lines.back()) + 1 + display_width(word) > width) {
      lines.push_back(word);
    } else {
      lines.back() += " " + word;
    }
    begin = end == text.size() ? end : end + 1;
  }
  return lines;
}

}  // namespace iotrace
