// The reports of a run and where they go: prepared before the program starts, so that what cannot
// work is said at once, and written after it has ended. Launcher only.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cli/options.h"
#include "cli/output_file.h"
#include "cli/report.h"

namespace iotrace {

class Reports {
 public:
  // The reports that the options ask for, or one line "iotrace: ...".
  static std::variant<Reports, std::string> prepare(const Options& options);

  // Writes all of them; returns the first failure, after trying every one. That nobody reads stderr
  // is none.
  std::optional<std::string> write(const Report& report);

 private:
  struct Export {
    Format format;
    OutputFile file;
  };
  std::vector<Export> exports_;
  std::optional<Format> to_stderr_;
  bool color_on_stderr_ = false;
};

}  // namespace iotrace
