// Where reports go: files that are replaced as a whole or not at all, and the launcher's stderr.
// Launcher only; every descriptor is above 2 and close-on-exec, so that the traced program sees
// none of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace iotrace {

// A file that was named for a report. prepare() comes before the program starts, so that a missing
// folder or a lacking permission is an error at once; commit() after it has ended. Errors are one
// line "iotrace: ..." without a newline.
//
// A regular file (or one that does not exist yet) is written beside its place and then renamed into
// it: whoever reads the name sees the old content or the new, also when the disk is full. An
// existing file keeps its mode. Anything else (terminal, pipe, device) and the file that is the
// launcher's own stdout or stderr is written to directly.
class OutputFile {
 public:
  static std::variant<OutputFile, std::string> prepare(std::string path);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();  // without a commit: nothing is left behind, nothing was changed

  // Writes `text` and closes the file; call it once.
  std::optional<std::string> commit(std::string_view text);

 private:
  explicit OutputFile(std::string path) : path_(std::move(path)) {}

  int open_beside();
  int keep_mode();
  void discard();

  std::string path_;       // as the user named it, for messages
  std::string place_;      // the file to replace, links followed; empty: written to directly
  std::string temporary_;  // beside it; empty: none
  int fd_ = -1;
};

// Writes to descriptor 2, however long its reader takes. An error (nobody reads, or it is closed)
// is returned: no signal is raised.
std::optional<std::string> write_to_stderr(std::string_view text);

}  // namespace iotrace
