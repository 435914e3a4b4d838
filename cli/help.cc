// What `iotrace --help` and `iotrace --version` print. The version comes from the build
// (IOTRACE_VERSION).
#include "cli/help.h"

namespace iotrace {

std::string_view help_text() {
  return R"(usage: iotrace [options] [--] PROGRAM [ARG...]

Runs PROGRAM and counts every output call that it and its descendants make, then
reports how its stdout and its stderr behaved: calls, bytes, buffering, flushes, time.

  -o, --output FILE         the report to FILE instead of stderr
      --format=FORMAT       what the report is: table (default), json or markdown
      --json                the same as --format=json
      --export-json FILE    a copy of the report as JSON besides
      --export-markdown FILE
                            a copy of the report as Markdown besides
      --quiet               no report, only the copies
      --timing=MODE         which calls are timed: sample (default), all or off
      --no-follow           count PROGRAM alone, not the processes that it starts
      --wait-all            wait for the descendants that outlive PROGRAM as well
      --color=WHEN          auto (default: on a terminal, unless NO_COLOR is set),
                            always or never
  -h, --help                this text
      --version             the version

In FILE, %p stands for the process id of iotrace and %% for a %.

Exit status: that of PROGRAM; if it died of a signal, iotrace dies of the same one.
125: iotrace itself failed. 126: PROGRAM cannot be run. 127: PROGRAM was not found.

Examples:
  iotrace ./program > /dev/null
  iotrace --export-json report.json -- make -j2
  iotrace -o report.%p.md --format=markdown ./program --its --own --options
)";
}

std::string_view version_text() { return "iotrace " IOTRACE_VERSION "\n"; }

}  // namespace iotrace
