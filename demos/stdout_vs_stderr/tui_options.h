// The command line and the environment of tui_demo.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "piece_writer.h"
#include "terminal.h"

namespace iotrace {

struct TuiOptions {
  Stream stream = Stream::kStdout;
  double duration_s = 0;             // 0: until somebody quits
  std::optional<Size> size;          // unset: the terminal's
  std::optional<BufferMode> buffer;  // unset: usual_buffer() of the stream
  double frame_cap = 60;             // frames per second; 0 for none
  bool help = false;
};

extern const char kTuiHelp[];

// COLSxROWS, as in 200x50; at most 10000 each.
std::optional<Size> parse_size(const std::string& text);

// The options, or one line without a newline that says what is wrong with them. What the command
// line says goes before STREAM and DURATION.
std::variant<TuiOptions, std::string> parse_tui_options(int argc, char** argv);

}  // namespace iotrace
