// Tests of cli/format_text: figures for people, and foreign text made harmless.
#include "cli/format_text.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace iotrace {
namespace {

TEST(GroupDigits, puts_a_blank_before_every_third_digit_from_the_right) {
  EXPECT_EQ(group_digits(0), "0");
  EXPECT_EQ(group_digits(999), "999");
  EXPECT_EQ(group_digits(1000), "1 000");
  EXPECT_EQ(group_digits(1000000), "1 000 000");
  EXPECT_EQ(group_digits(UINT64_MAX), "18 446 744 073 709 551 615");
}

TEST(FormatRatio, has_one_decimal_until_it_is_large) {
  EXPECT_EQ(format_ratio(110.68), "110.7");
  EXPECT_EQ(format_ratio(4095.6), "4095.6");
  EXPECT_EQ(format_ratio(12345.6), "12 346");
}

TEST(FormatBytes, is_exact_below_ten_thousand) {
  EXPECT_EQ(format_bytes(0), "0");
  EXPECT_EQ(format_bytes(740), "740 B");
  EXPECT_EQ(format_bytes(9999), "9999 B");
  EXPECT_EQ(format_bytes(10000), "10.0 kB");
}

TEST(FormatBytes, rounds_into_the_next_unit_and_never_shows_a_thousand) {
  EXPECT_EQ(format_bytes(37000000), "37.0 MB");
  EXPECT_EQ(format_bytes(999949), "999.9 kB");
  EXPECT_EQ(format_bytes(999950), "1.0 MB");
  EXPECT_EQ(format_bytes(UINT64_MAX), "18.4 EB");
}

TEST(FormatBuffer, uses_binary_units_where_they_are_exact) {
  EXPECT_EQ(format_buffer(4096), "4096 B");
  EXPECT_EQ(format_buffer(32768), "32 KiB");
  EXPECT_EQ(format_buffer(1536 * 1024), "1536 KiB");
  EXPECT_EQ(format_buffer(30000), "30.0 kB");
}

TEST(FormatSizeRange, names_both_ends_of_a_bucket) {
  EXPECT_EQ(format_size_range(1), "0 .. 1");
  EXPECT_EQ(format_size_range(2), "2");
  EXPECT_EQ(format_size_range(4), "3 .. 4");
  EXPECT_EQ(format_size_range(1024), "513 .. 1 KiB");
  EXPECT_EQ(format_size_range(4096), "2049 .. 4 KiB");
  EXPECT_EQ(format_size_range(32768), ">16 .. 32 KiB");
  EXPECT_EQ(format_size_range(uint64_t{1} << 20U), ">512 KiB .. 1 MiB");
  EXPECT_EQ(format_size_range(uint64_t{1} << 63U), ">4 .. 8 EiB");
}

TEST(FormatDuration, picks_the_unit_that_keeps_the_number_readable) {
  EXPECT_EQ(format_duration(0), "0");
  EXPECT_EQ(format_duration(128e-9), "128 ns");
  EXPECT_EQ(format_duration(999.6e-9), "1.0 us");
  EXPECT_EQ(format_duration(8e-6), "8.0 us");
  EXPECT_EQ(format_duration(0.0013), "1.3 ms");
  EXPECT_EQ(format_duration(0.99996), "1.00 s");
  EXPECT_EQ(format_duration(2.5), "2.50 s");
}

TEST(CountOf, knows_the_singular) {
  EXPECT_EQ(count_of(0, "call", "calls"), "0 calls");
  EXPECT_EQ(count_of(1, "call", "calls"), "1 call");
  EXPECT_EQ(count_of(1234, "call", "calls"), "1 234 calls");
}

TEST(Sanitize, leaves_plain_and_multibyte_text_alone) {
  const std::string text = "/home/j\xc3\xb6rg/\xe6\x97\xa5\xe6\x9c\xac/\xf0\x9f\x98\x80 a\\b";
  EXPECT_EQ(sanitize(text), text);
}

TEST(Sanitize, shows_control_characters) {
  EXPECT_EQ(sanitize("a\x1b[31m\n\r\t\x7f"), "a\\x1b[31m\\x0a\\x0d\\x09\\x7f");
  EXPECT_EQ(sanitize(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Sanitize, shows_c1_controls_and_what_reorders_text) {
  EXPECT_EQ(sanitize("\xc2\x9b"
                     "31m"),
            "\\xc2\\x9b31m");
  EXPECT_EQ(sanitize("\xc2\xa0"), "\xc2\xa0");
  EXPECT_EQ(sanitize("\xe2\x80\xae"), "\\xe2\\x80\\xae");
  EXPECT_EQ(sanitize("\xe2\x80\xa8"), "\\xe2\\x80\\xa8");
}

TEST(Sanitize, shows_every_byte_that_is_no_utf8) {
  EXPECT_EQ(sanitize("\xff"
                     "a\x80"),
            "\\xffa\\x80");
  EXPECT_EQ(sanitize("\xc3"), "\\xc3");  // cut off
  EXPECT_EQ(sanitize("\xc3"
                     "a"),
            "\\xc3"
            "a");                                                   // continued wrongly
  EXPECT_EQ(sanitize("\xc1\x9b"), "\\xc1\\x9b");                    // overlong '['
  EXPECT_EQ(sanitize("\xe0\x80\x9b"), "\\xe0\\x80\\x9b");           // overlong ESC
  EXPECT_EQ(sanitize("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // surrogate
  EXPECT_EQ(sanitize("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
}

TEST(EscapeMarkdown, takes_the_meaning_from_markup) {
  EXPECT_EQ(escape_markdown("|`*_<>[]"), "\\|\\`\\*\\_\\<\\>\\[\\]");
  EXPECT_EQ(escape_markdown("&lt;~x~"), "\\&lt;\\~x\\~");
}

TEST(EscapeMarkdown, escapes_the_backslash_so_that_none_can_undo_an_escape) {
  EXPECT_EQ(escape_markdown("\\*"), "\\\\\\*");
  EXPECT_EQ(escape_markdown("a\nb"), "a\\\\x0ab");
}

TEST(JoinCommand, quotes_what_the_shell_would_split_or_expand) {
  EXPECT_EQ(join_command({"ls", "-l", "a b", "", "it's", "$x"}), "ls -l 'a b' '' 'it'\\''s' '$x'");
  EXPECT_EQ(join_command({}), "");
}

TEST(ShortenMiddle, keeps_both_ends) {
  EXPECT_EQ(shorten_middle("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(shorten_middle("abcdefghijk", 10), "abc...hijk");
  EXPECT_EQ(shorten_middle("abcdef", 2), "...");
}

TEST(ShortenMiddle, never_cuts_a_character_in_half) {
  const std::string text = "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f";
  EXPECT_EQ(shorten_middle(text, 7), "\xc3\xa4\xc3\xb6...\xc3\xbc\xc3\x9f");
}

TEST(WrapWords, breaks_at_blanks_only) {
  EXPECT_EQ(wrap_words("aa bb ccccccc d", 5), (std::vector<std::string>{"aa bb", "ccccccc", "d"}));
  EXPECT_TRUE(wrap_words("", 5).empty());
}

TEST(WrapWords, keeps_the_groups_of_a_number_together) {
  EXPECT_EQ(wrap_words("all 9 034 calls", 7), (std::vector<std::string>{"all", "9 034", "calls"}));
}

}  // namespace
}  // namespace iotrace
