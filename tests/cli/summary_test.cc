// Tests of cli/summary: the wording of figures, of coverage and of everything that makes a report
// less than the whole truth.
#include "cli/summary.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sample_report.h"

namespace iotrace {
namespace {

// The first cell (stdout) of the row, or an empty one.
Cell cell_of(const Report& report, const std::string& label, size_t column = 0) {
  for (const SummaryRow& row : summary_rows(report)) {
    if (row.label == label) return row.cells.at(column);
  }
  return {};
}

// "heading: text" of each notice.
std::vector<std::string> texts(const Report& report) {
  std::vector<std::string> all;
  for (const Notice& notice : notices(report)) all.push_back(notice.heading + ": " + notice.text);
  return all;
}

Coverage coverage(std::optional<bool> complete, uint64_t kernel_calls, uint64_t unseen_calls = 0) {
  Coverage made;
  made.complete = complete;
  made.kernel_calls = kernel_calls;
  made.unseen_calls = unseen_calls;
  return made;
}

std::string coverage_text(const Coverage& coverage_of_run) {
  Report report;
  report.coverage = coverage_of_run;
  return notices(report).front().text;
}

TEST(SummaryRows, details_appear_only_when_they_happened) {
  Report report = sample_report();
  for (const char* label : {"  by name", "  failed", "  never returned", "  short writes",
                            "fflush calls", "printed, never written"}) {
    EXPECT_TRUE(cell_of(report, label).empty()) << label;
  }
  report.out.calls_by_name = {{"write", 9000}, {"writev", 34}};
  report.out.errors = {{"EAGAIN", 3}, {"EPIPE", 12}};
  report.out.unfinished_calls = 1;
  report.out.short_writes = 2;
  report.out.stdio->fflush_calls = 1000;
  report.out.stdio->fflush_empty_calls = 10;
  report.out.stdio->unflushed_bytes = 44;
  EXPECT_EQ(cell_of(report, "  by name"), (Cell{"write 9 000", "writev 34"}));
  EXPECT_EQ(cell_of(report, "  failed"), (Cell{"EPIPE 12", "EAGAIN 3"}));
  EXPECT_EQ(cell_of(report, "  never returned"), Cell{"1"});
  EXPECT_EQ(cell_of(report, "  short writes"), Cell{"2"});
  EXPECT_EQ(cell_of(report, "fflush calls"), (Cell{"1 000", "(10 in vain)"}));
  EXPECT_EQ(cell_of(report, "printed, never written"), Cell{"44 B"});
}

TEST(SummaryRows, buffering_is_told_in_words) {
  Report report = sample_report();
  EXPECT_EQ(cell_of(report, "buffering"), Cell{"full, 4096 B"});
  EXPECT_EQ(cell_of(report, "buffering", 1), Cell{"-"});
  report.out.stdio->buffering = "unbuffered";
  report.out.stdio->buffer_bytes = 0;
  EXPECT_EQ(cell_of(report, "buffering"), Cell{"unbuffered"});
  report.out.stdio->buffering = "mixed";
  report.out.stdio->calls_by_buffering = {{"line", 7}, {"none", 12}};
  EXPECT_EQ(cell_of(report, "buffering"), (Cell{"mixed:", "none 12", "line 7"}));
}

TEST(SummaryRows, stdio_calls_that_are_not_exact_say_so) {
  Report report = sample_report();
  report.out.stdio->calls_exact = false;
  EXPECT_EQ(cell_of(report, "stdio calls"), Cell{"at least 1 000 000"});
}

TEST(SummaryRows, only_an_estimated_time_has_the_tilde) {
  Report report = sample_report();
  EXPECT_EQ(cell_of(report, "time in calls"), (Cell{"~1.3 ms", "(3.8 % of real)"}));
  report.out.time.estimated = false;
  EXPECT_EQ(cell_of(report, "time in calls"), (Cell{"1.3 ms", "(3.8 % of real)"}));
  report.out.time = {};
  EXPECT_EQ(cell_of(report, "time in calls"), Cell{"not timed"});
}

TEST(SummaryRows, other_names_its_target_when_there_is_one) {
  Report report = sample_report();
  report.other.calls = 1;
  EXPECT_EQ(cell_of(report, "target", 2), Cell{"-"});
  Descriptor descriptor;
  descriptor.stream = "other";
  descriptor.target = {.kind = "file", .path = "/tmp/log"};
  report.processes[0].descriptors.push_back(descriptor);
  report.processes[0].descriptors.push_back(descriptor);
  EXPECT_EQ(cell_of(report, "target", 2), Cell{"/tmp/log (file)"});
  descriptor.target = {.kind = "pipe", .path = {}};
  report.processes[0].descriptors.push_back(descriptor);
  EXPECT_EQ(cell_of(report, "target", 2), Cell{"2 targets"});
  report.processes[0].descriptors_omitted.descriptors = 1;
  EXPECT_EQ(cell_of(report, "target", 2), Cell{"at least 2 targets"});
}

TEST(Notices, complete_coverage) {
  EXPECT_EQ(coverage_text(coverage(true, 9034)),
            "complete: all 9 034 write calls that the kernel counted were seen");
  EXPECT_EQ(coverage_text(coverage(true, 1)),
            "complete: the 1 write call that the kernel counted was seen");
  EXPECT_EQ(coverage_text(coverage(true, 0)), "complete: the kernel counted no write calls");
  Coverage partly = coverage(true, 2);
  partly.not_auditable_calls = 5;
  EXPECT_EQ(coverage_text(partly),
            "complete: all 2 write calls that the kernel counted were seen; 5 further calls cannot "
            "be checked against it");
}

TEST(Notices, incomplete_coverage_says_how_much_is_missing) {
  EXPECT_EQ(coverage_text(coverage(false, 9046, 12)),
            "INCOMPLETE: 12 of the 9 046 write calls that the kernel counted were not seen");
  Coverage uncounted = coverage(false, 0);
  uncounted.not_instrumented = 1;
  EXPECT_EQ(coverage_text(uncounted), "INCOMPLETE: 1 program could not be counted");
}

TEST(Notices, unknown_coverage_says_why_and_gives_the_numbers) {
  Coverage noted = coverage(std::nullopt, 1000);
  noted.note = "it dumped core";
  EXPECT_EQ(coverage_text(noted),
            "not known: it dumped core; of the 1 000 write calls that the kernel counted, 0 were "
            "not seen");
  Coverage partly = coverage(std::nullopt, 5);
  partly.not_instrumented = 2;
  partly.unaudited.resize(1);
  EXPECT_EQ(
      coverage_text(partly),
      "not known: 1 part of the run could not be audited, 2 programs could not be counted; of "
      "the 5 write calls that the kernel counted, 0 were not seen");
}

TEST(Notices, name_what_was_not_counted_or_not_audited) {
  Report report = sample_report();
  report.processes[0].instrumented = false;
  report.processes[0].not_instrumented_because = "static";
  report.coverage.unaudited = {{.pid = 9, .command = "sleep 9", .reason = "still running"},
                               {.pid = {}, .command = "", .reason = "SIGCHLD ignored"}};
  const std::vector<std::string> all = texts(report);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[1], ": not counted (static): ./printf_demo (pid 4242)");
  EXPECT_EQ(all[2], ": not audited (still running): sleep 9 (pid 9)");
  EXPECT_EQ(all[3], ": not audited (SIGCHLD ignored): ");
}

TEST(Notices, a_long_list_is_cut_and_the_rest_counted) {
  Report report = sample_report();
  report.coverage.unaudited.assign(20, {.pid = 9, .command = "x", .reason = "r"});
  const std::vector<std::string> all = texts(report);
  EXPECT_EQ(all.size(), 1U + 12U + 1U);
  EXPECT_EQ(all.back(), ": and 8 more");
}

TEST(Notices, overflow_lost_output_and_a_shared_target_are_told) {
  Report report = sample_report();
  EXPECT_EQ(texts(report).size(), 1U);
  report.overflow_calls = 12;
  report.out.stdio->unflushed_bytes = 44;
  report.shared_target = true;
  const std::vector<Notice> all = notices(report);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[1].heading, "overflow");
  EXPECT_EQ(all[1].text.substr(0, 8), "12 calls");
  EXPECT_EQ(all[2].heading, "lost");
  EXPECT_EQ(all[2].gravity, Gravity::kAlarm);
  EXPECT_EQ(all[2].text, "stdout: 44 B were printed into a buffer that was never written");
  EXPECT_EQ(all[3].heading, "streams");
}

TEST(ExitText, says_code_or_signal) {
  EXPECT_EQ(exit_text({.code = 3, .signal = {}}), "exit 3");
  EXPECT_EQ(exit_text({.code = {}, .signal = "SIGTERM"}), "killed by SIGTERM");
}

TEST(PopulationText, an_exec_does_not_make_a_second_process) {
  Report report = sample_report();
  EXPECT_EQ(population_text(report), "1 process, 1 thread");
  report.processes.push_back(sample_process());
  EXPECT_EQ(population_text(report), "1 process, 1 thread");
  report.processes.push_back(sample_process());
  report.processes.back().pid = 4243;
  report.processes.back().threads = 4;
  EXPECT_EQ(population_text(report), "2 processes, 5 threads");
}

TEST(PopulationText, without_a_thread_that_made_output_names_processes_alone) {
  Report report = sample_report();
  report.processes[0].threads = 0;
  EXPECT_EQ(population_text(report), "1 process");
}

TEST(BusiestImages, a_running_image_and_one_with_a_cut_command_say_so) {
  Report report = sample_report();
  report.processes.assign(2, sample_process());
  report.processes[0].running = true;
  report.processes[0].command_truncated = true;
  report.processes[1].command.clear();
  const ImageTable table = busiest_images(report, 12);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].exit, "still running");
  EXPECT_EQ(table.rows[0].command, "./printf_demo ...");
  EXPECT_EQ(table.rows[1].command, "/home/me/printf_demo");
}

}  // namespace
}  // namespace iotrace
