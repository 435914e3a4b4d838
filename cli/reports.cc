#include "cli/reports.h"

#include <unistd.h>

#include <cstdlib>

#include "cli/render.h"

namespace iotrace {
namespace {

std::string rendered(const Report& report, Format format, bool color) {
  switch (format) {
    case Format::kJson:
      return render_json(report);
    case Format::kMarkdown:
      return render_markdown(report);
    case Format::kTable:
      break;
  }
  return render_table(report, {.color = color});
}

}  // namespace

std::variant<Reports, std::string> Reports::prepare(const Options& options) {
  Reports reports;
  std::vector<std::pair<Format, std::string>> wanted;
  if (options.output && !options.quiet) wanted.emplace_back(options.format, *options.output);
  if (options.export_json) wanted.emplace_back(Format::kJson, *options.export_json);
  if (options.export_markdown) wanted.emplace_back(Format::kMarkdown, *options.export_markdown);
  for (auto& [format, path] : wanted) {
    auto file = OutputFile::prepare(path);
    if (auto* error = std::get_if<std::string>(&file)) return *error;
    reports.exports_.push_back({format, std::move(std::get<OutputFile>(file))});
  }
  if (!options.output && !options.quiet) reports.to_stderr_ = options.format;
  reports.color_on_stderr_ = wants_color(options.color, isatty(2), getenv("NO_COLOR"));
  return reports;
}

std::optional<std::string> Reports::write(const Report& report) {
  std::optional<std::string> failure;
  for (Export& one : exports_) {
    auto error = one.file.commit(rendered(report, one.format, false));
    if (error && !failure) failure = error;
  }
  if (to_stderr_) write_to_stderr(rendered(report, *to_stderr_, color_on_stderr_));
  return failure;
}

}  // namespace iotrace
