// Tests of cli/reports: which reports go where, and what happens when one of them cannot.
#include "cli/reports.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "cli/render.h"
#include "tests/cli/output_file_harness.h"
#include "tests/cli/redirected.h"
#include "tests/cli/sample_report.h"

namespace iotrace {
namespace {

class ReportsTest : public OutputFileTest {
 protected:
  // Writes the sample report and returns what came to stderr.
  std::string write(const Options& options) {
    int memory = memfd_create("stderr", MFD_CLOEXEC);
    {
      Redirected redirected(2, memory);
      auto prepared = Reports::prepare(options);
      if (auto* error = std::get_if<std::string>(&prepared)) {
        failure_ = *error;
      } else {
        failure_ = std::get<Reports>(prepared).write(sample_report());
      }
    }
    std::string text(100'000, '\0');
    ssize_t size = pread(memory, text.data(), text.size(), 0);
    close(memory);
    text.resize(size > 0 ? static_cast<size_t>(size) : 0);
    return text;
  }
  std::optional<std::string> failure_;
};

TEST_F(ReportsTest, without_options_a_table_goes_to_stderr) {
  EXPECT_EQ(write({}), render_table(sample_report(), {}));
  EXPECT_EQ(failure_, std::nullopt);
  EXPECT_EQ(entries(), 0U);
}

TEST_F(ReportsTest, the_format_is_that_of_the_main_report) {
  Options options;
  options.format = Format::kJson;
  EXPECT_EQ(write(options), render_json(sample_report()));
  options.format = Format::kMarkdown;
  EXPECT_EQ(write(options), render_markdown(sample_report()));
}

TEST_F(ReportsTest, an_output_file_takes_its_place) {
  Options options;
  options.output = path("report");
  options.format = Format::kJson;
  EXPECT_EQ(write(options), "");
  EXPECT_EQ(content("report"), render_json(sample_report()));
}

TEST_F(ReportsTest, exports_come_besides) {
  Options options;
  options.export_json = path("a.json");
  options.export_markdown = path("a.md");
  EXPECT_EQ(write(options), render_table(sample_report(), {}));
  EXPECT_EQ(content("a.json"), render_json(sample_report()));
  EXPECT_EQ(content("a.md"), render_markdown(sample_report()));
}

TEST_F(ReportsTest, quiet_leaves_the_exports_alone) {
  Options options;
  options.output = path("report");
  options.export_json = path("a.json");
  options.quiet = true;
  EXPECT_EQ(write(options), "");
  EXPECT_EQ(content("a.json"), render_json(sample_report()));
  EXPECT_EQ(entries(), 1U);
}

TEST_F(ReportsTest, colour_is_for_stderr_alone) {
  Options options;
  options.color = ColorMode::kAlways;
  EXPECT_EQ(write(options), render_table(sample_report(), {.color = true}));
  options.output = path("report");
  write(options);
  EXPECT_EQ(content("report"), render_table(sample_report(), {.color = false}));
}

TEST_F(ReportsTest, a_place_that_cannot_be_written_to_is_an_error_before_the_program_starts) {
  Options options;
  options.export_json = path("a.json");
  options.export_markdown = path("none/a.md");
  EXPECT_EQ(write(options), "");
  ASSERT_TRUE(failure_);
  EXPECT_TRUE(failure_->starts_with("iotrace: ")) << *failure_;
  EXPECT_NE(failure_->find("none/a.md"), std::string::npos) << *failure_;
  EXPECT_EQ(entries(), 0U);
}

TEST_F(ReportsTest, one_that_fails_does_not_keep_the_others) {
  Options options;
  options.export_json = "/dev/full";
  options.export_markdown = path("a.md");
  EXPECT_EQ(write(options), render_table(sample_report(), {}));
  ASSERT_TRUE(failure_);
  EXPECT_NE(failure_->find("/dev/full"), std::string::npos) << *failure_;
  EXPECT_EQ(content("a.md"), render_markdown(sample_report()));
}

TEST_F(ReportsTest, nothing_is_written_before_the_program_has_ended) {
  Options options;
  options.export_json = path("a.json");
  put("a.json", "old");
  {
    auto prepared = Reports::prepare(options);
    ASSERT_TRUE(std::holds_alternative<Reports>(prepared));
    EXPECT_EQ(content("a.json"), "old");
  }
  EXPECT_EQ(content("a.json"), "old");
  EXPECT_EQ(entries(), 1U);
}

}  // namespace
}  // namespace iotrace
