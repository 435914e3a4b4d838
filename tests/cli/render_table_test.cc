// Tests of cli/render_table: the design's example, what appears only when it happened, the width,
// and that nothing from outside can act on the terminal.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "cli/format_text.h"
#include "cli/render.h"
#include "sample_report.h"

namespace iotrace {
namespace {

std::string plain(const Report& report) { return render_table(report, {.color = false}); }

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

size_t widest_line(const std::string& text) {
  size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    widest = std::max(widest, display_width(line));
  }
  return widest;
}

TEST(RenderTable, the_sample_looks_as_designed) {
  EXPECT_EQ(
      plain(sample_report()),
      R"(iotrace: ./printf_demo          exit 0    0.034 s real  0.030 user  0.002 sys    1 process, 1 thread

                        stdout                     stderr
target                  /dev/null (null)           /dev/pts/3 (tty)
buffering               full, 4096 B               -
stdio calls             1 000 000                  0
output calls            9 034                      0
  stdio calls per call  110.7
bytes                   37.0 MB                    0
bytes per call          4095.6  (832 .. 4096)
flush causes            full 9 033  exit 1
time in calls           ~1.3 ms  (3.8 % of real)
  p50, p99, max         128 ns  512 ns  8.0 us
sizes      513 .. 1 KiB |                       1
          2049 .. 4 KiB |############       9 033

coverage  complete: all 9 034 write calls that the kernel counted were seen

findings
- info, stdout: 9 034 calls carry 1 000 000 stdio calls: nothing to gain.
)");
}

TEST(RenderTable, an_empty_report_is_still_a_table) {
  const std::string text = plain(Report{});
  EXPECT_TRUE(contains(text, "exit unknown    0.000 s real"));
  EXPECT_TRUE(contains(text, "target                  -                          -\n"));
  EXPECT_TRUE(contains(text, "output calls            0                          0\n"));
  EXPECT_FALSE(contains(text, "findings"));
  EXPECT_FALSE(contains(text, "sizes"));
}

TEST(RenderTable, closed_streams_have_no_target) {
  Report report = sample_report();
  report.err.target = std::nullopt;
  EXPECT_TRUE(contains(plain(report), "target                  /dev/null (null)           -\n"));
}

TEST(RenderTable, both_histograms_can_be_read_beside_each_other) {
  Report report = sample_report();
  report.err.calls = 6;
  report.err.size_histogram = {{.up_to = 64, .calls = 2}, {.up_to = 4096, .calls = 4}};
  EXPECT_TRUE(
      contains(plain(report),
               "sizes          33 .. 64 |                          |######                 2\n"
               "           513 .. 1 KiB |                       1  |\n"
               "          2049 .. 4 KiB |############       9 033  |############           4\n"))
      << plain(report);
}

TEST(RenderTable, other_is_a_third_column_only_when_it_carried_output) {
  EXPECT_FALSE(contains(plain(sample_report()), "other"));
  Report report = sample_report();
  report.other.calls = 3;
  report.other.bytes = 12;
  const std::string text = plain(report);
  EXPECT_TRUE(contains(text, "stdout                   stderr                   other\n")) << text;
  EXPECT_TRUE(contains(
      text, "output calls            9 034                    0                        3\n"));
  EXPECT_LE(widest_line(text), 100U) << text;
}

TEST(RenderTable, many_causes_go_below_each_other_in_their_column) {
  Report report = sample_report();
  report.out.stdio->flush_causes = {{"full", 5000}, {"newline", 4000}, {"fflush", 33}, {"exit", 1}};
  EXPECT_TRUE(contains(plain(report),
                       "flush causes            full 5 000  newline 4 000\n"
                       "                        fflush 33  exit 1\n"));
}

TEST(RenderTable, images_are_listed_busiest_first_when_there_are_several) {
  Report report = sample_report();
  EXPECT_FALSE(contains(plain(report), "programs"));
  Process child = sample_process();
  child.pid = 4243;
  child.command = {"busy", "one"};
  child.calls = child.stdout_calls = 1000000;
  child.exit = ExitStatus{.code = {}, .signal = "SIGTERM"};
  Process uncounted;
  uncounted.command = {"static-one"};
  uncounted.instrumented = false;
  uncounted.not_instrumented_because = "static";
  report.processes = {uncounted, sample_process(), child};
  const std::string text = plain(report);
  const size_t busy = text.find("\nbusy one");
  const size_t demo = text.find("\n./printf_demo");
  const size_t unknown = text.find("\nstatic-one");
  ASSERT_NE(busy, std::string::npos) << text;
  EXPECT_LT(busy, demo);
  EXPECT_LT(demo, unknown);
  EXPECT_TRUE(contains(text, "1 000 000   37.0 MB            0         0  killed by SIGTERM\n"))
      << text;
  EXPECT_TRUE(contains(text, "        -         -            -         -  -\n")) << text;
  EXPECT_FALSE(contains(text, "more with"));
}

TEST(RenderTable, at_most_twelve_images_are_listed_and_the_rest_counted) {
  Report report = sample_report();
  report.processes.assign(15, sample_process());
  const std::string text = plain(report);
  size_t rows = 0;
  for (size_t at = text.find("\n./printf_demo"); at != std::string::npos;
       at = text.find("\n./printf_demo", at + 1)) {
    ++rows;
  }
  EXPECT_EQ(rows, 12U);
  EXPECT_TRUE(contains(text, "and 3 more with 27 102 calls together\n")) << text;
}

TEST(RenderTable, hostile_text_reaches_the_terminal_harmless) {
  Report report = sample_report();
  report.command = {kHostile};
  report.out.target->path = kHostile;
  report.processes.assign(2, sample_process());
  report.processes[0].command = {kHostile};
  report.processes[1].instrumented = false;
  report.processes[1].command = {kHostile};
  report.processes[1].not_instrumented_because = kHostile;
  report.coverage.unaudited = {{.pid = 1, .command = kHostile, .reason = kHostile}};
  report.coverage.note = kHostile;
  report.findings[0].text = kHostile;
  report.exit.signal = kHostile;
  const std::string text = plain(report);
  std::string without_lines = text;
  std::erase(without_lines, '\n');
  EXPECT_EQ(sanitize(without_lines), without_lines);
  EXPECT_TRUE(contains(text, "a\\x1b[2J\\x0ab\\xc2\\x9b31m")) << text;
}

TEST(RenderTable, long_words_do_not_make_it_wide) {
  Report report = sample_report();
  const std::string word(500, 'x');
  report.command = {word};
  report.out.target->path = "/" + word;
  report.processes.assign(2, sample_process());
  report.processes[0].command = {word};
  report.processes[1].instrumented = false;
  report.processes[1].command = {word};
  report.coverage.unaudited = {{.pid = 1, .command = word, .reason = "still running"}};
  const std::string text = plain(report);
  EXPECT_LE(widest_line(text), 100U) << text;
  EXPECT_TRUE(contains(text, "/xxxxxxxxxx...xxxx (null)")) << text;
}

TEST(RenderTable, without_colour_there_is_no_escape_sequence) {
  Report report = sample_report();
  report.out.stdio->unflushed_bytes = 44;
  EXPECT_FALSE(contains(plain(report), "\x1b"));
}

TEST(RenderTable, colour_adds_escape_sequences_and_changes_nothing_else) {
  Report report = sample_report();
  report.out.stdio->unflushed_bytes = 44;
  report.coverage.complete = false;
  report.coverage.unseen_calls = 3;
  report.processes.push_back(sample_process());
  std::string text = render_table(report, {.color = true});
  EXPECT_TRUE(contains(text, "\x1b[1miotrace: ./printf_demo\x1b[0m"));
  EXPECT_TRUE(contains(text, "\x1b[33mINCOMPLETE"));
  EXPECT_TRUE(contains(text, "\x1b[1;31mstdout: 44 B"));
  for (size_t at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b')) {
    text.erase(at, text.find('m', at) - at + 1);
  }
  EXPECT_EQ(text, plain(report));
}

}  // namespace
}  // namespace iotrace
