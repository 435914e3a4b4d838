// Tests of cli/render_markdown: the whole document of the design's example, and that hostile text
// stays text.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "cli/render.h"
#include "sample_report.h"

namespace iotrace {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(RenderMarkdown, the_sample_is_a_table_and_two_lists) {
  EXPECT_EQ(render_markdown(sample_report()), R"(## iotrace: ./printf\_demo

exit 0, 0.034 s real, 0.030 s user, 0.002 s sys, 1 process, 1 thread

|  | stdout | stderr |
| --- | --- | --- |
| target | /dev/null (null) | /dev/pts/3 (tty) |
| buffering | full, 4096 B | - |
| stdio calls | 1 000 000 | 0 |
| output calls | 9 034 | 0 |
| stdio calls per call | 110.7 |  |
| bytes | 37.0 MB | 0 |
| bytes per call | 4095.6 (832 .. 4096) |  |
| flush causes | full 9 033, exit 1 |  |
| time in calls | \~1.3 ms (3.8 % of real) |  |
| p50, p99, max | 128 ns, 512 ns, 8.0 us |  |
| calls of 513 .. 1 KiB bytes | 1 | 0 |
| calls of 2049 .. 4 KiB bytes | 9 033 | 0 |

- **coverage**: complete: all 9 034 write calls that the kernel counted were seen

### Findings

- **info, stdout**: 9 034 calls carry 1 000 000 stdio calls: nothing to gain.
)");
}

TEST(RenderMarkdown, images_are_a_table_of_their_own) {
  Report report = sample_report();
  report.processes.assign(14, sample_process());
  const std::string text = render_markdown(report);
  EXPECT_TRUE(contains(text,
                       "| program | stdout calls | bytes | stderr calls | bytes | exit |\n"
                       "| --- | ---: | ---: | ---: | ---: | ---: |\n"
                       "| ./printf\\_demo | 9 034 | 37.0 MB | 0 | 0 | exit 0 |\n"))
      << text;
  EXPECT_TRUE(contains(text, "\nand 2 more with 18 068 calls together\n"));
}

// Every row must keep the number of cells of its table: no text may bring a separator or a line end
// of its own.
TEST(RenderMarkdown, hostile_text_adds_neither_markup_nor_cells) {
  Report report = sample_report();
  report.command = {kHostile};
  report.out.target->path = kHostile;
  report.findings[0].text = kHostile;
  report.coverage.note = kHostile;
  report.exit.signal = kHostile;
  const std::string text = render_markdown(report);
  EXPECT_FALSE(contains(text, "\x1b"));
  EXPECT_FALSE(contains(text, "<b>"));
  EXPECT_FALSE(contains(text, "[x]("));
  EXPECT_TRUE(contains(text, "\\|\\`\\*\\_\\<b\\>\\[x\\](y)")) << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("|")) continue;
    size_t separators = 0;
    for (size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '\\') {
        ++i;
      } else if (line[i] == '|') {
        ++separators;
      }
    }
    EXPECT_EQ(separators, 4U) << line;
  }
}

TEST(RenderMarkdown, an_empty_report_is_still_a_document) {
  const std::string text = render_markdown(Report{});
  EXPECT_TRUE(text.starts_with("## iotrace: \n\nexit unknown, 0.000 s real"));
  EXPECT_TRUE(contains(text, "| target | - | - |\n"));
  EXPECT_FALSE(contains(text, "Findings"));
}

}  // namespace
}  // namespace iotrace
