// Reading options and environment; see tui_options.h.
#include "tui_options.h"

#include <getopt.h>

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace iotrace {

const char kTuiHelp[] =
    "usage: tui_demo [options]\n"
    "\n"
    "A moving picture over the whole terminal. Space moves it to the other stream, q quits.\n"
    "\n"
    "  --stream stdout|stderr    what to draw on (also STREAM in the environment; stdout)\n"
    "  --buffer none|line|block  how that is buffered (line on stdout, none on stderr)\n"
    "  --duration SECONDS        end after that time (also DURATION; 0: when somebody quits)\n"
    "  --frame-cap FPS           at most so many frames per second (60; 0: no cap)\n"
    "  --size COLSxROWS          draw at this size, whether there is a terminal or not\n"
    "  --help\n"
    "\n"
    "At the end, frames, seconds and frames per second go to the stream that is not drawn on.\n";

namespace {

constexpr double kMostSeconds = 1e6;
constexpr double kMostFramesPerSecond = 1e6;
constexpr int kMostCells = 10000;

template <typename Number>
std::optional<Number> parse_number(const std::string& text) {
  Number number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

// from_chars reads "nan" and "inf" too.
bool read_number(const std::string& text, double most, double& number) {
  const std::optional<double> parsed = parse_number<double>(text);
  if (!parsed || !std::isfinite(*parsed) || std::signbit(*parsed) || *parsed > most) return false;
  number = *parsed;
  return true;
}

bool read_stream(const std::string& text, Stream& stream) {
  for (Stream known : {Stream::kStdout, Stream::kStderr}) {
    if (text != name_of(known)) continue;
    stream = known;
    return true;
  }
  return false;
}

bool read_buffer(const std::string& text, std::optional<BufferMode>& buffer) {
  for (BufferMode known : {BufferMode::kNone, BufferMode::kLine, BufferMode::kBlock}) {
    if (text != name_of(known)) continue;
    buffer = known;
    return true;
  }
  return false;
}

// What is wrong with one setting, or nothing. The letters are those of the option table below.
std::string set(TuiOptions& options, int letter, const std::string& value) {
  const std::string quoted = "'" + value + "' ";
  switch (letter) {
    case 's':
      if (read_stream(value, options.stream)) return {};
      return quoted + "is no stream (stdout or stderr)";
    case 'b':
      if (read_buffer(value, options.buffer)) return {};
      return quoted + "is no buffer (none, line or block)";
    case 'd':
      if (read_number(value, kMostSeconds, options.duration_s)) return {};
      return quoted + "is no duration (seconds, 0 to 1000000)";
    case 'f':
      if (read_number(value, kMostFramesPerSecond, options.frame_cap)) return {};
      return quoted + "is no frame cap (frames per second, 0 to 1000000)";
    default:
      options.size = parse_size(value);
      if (options.size) return {};
      return quoted + "is no size (COLSxROWS, 1 to 10000 each, as in 80x24)";
  }
}

std::string set_from_environment(TuiOptions& options) {
  constexpr struct {
    const char* name;
    int letter;
  } kVariables[] = {{"STREAM", 's'}, {"DURATION", 'd'}};
  for (const auto& variable : kVariables) {
    const char* value = std::getenv(variable.name);
    if (value == nullptr) continue;
    const std::string wrong = set(options, variable.letter, value);
    if (!wrong.empty()) return std::string(variable.name) + ": " + wrong;
  }
  return {};
}

}  // namespace

std::optional<Size> parse_size(const std::string& text) {
  const size_t cross = text.find('x');
  if (cross == std::string::npos) return std::nullopt;
  const std::optional<int> columns = parse_number<int>(text.substr(0, cross));
  const std::optional<int> rows = parse_number<int>(text.substr(cross + 1));
  if (!columns || !rows || *columns < 1 || *rows < 1) return std::nullopt;
  if (*columns > kMostCells || *rows > kMostCells) return std::nullopt;
  return Size{*columns, *rows};
}

std::variant<TuiOptions, std::string> parse_tui_options(int argc, char** argv) {
  constexpr option kOptions[] = {{"stream", required_argument, nullptr, 's'},
                                 {"buffer", required_argument, nullptr, 'b'},
                                 {"duration", required_argument, nullptr, 'd'},
                                 {"size", required_argument, nullptr, 'z'},
                                 {"frame-cap", required_argument, nullptr, 'f'},
                                 {"help", no_argument, nullptr, 'h'},
                                 {nullptr, 0, nullptr, 0}};
  TuiOptions options;
  std::string wrong = set_from_environment(options);
  opterr = 0;
  for (int letter = 0; wrong.empty() && letter != -1;) {
    // getopt_long has moved on from a long option that it refuses, but not from a short one.
    const int refused = optind;
    letter = getopt_long(argc, argv, "+:", kOptions, nullptr);
    if (letter == ':') {
      wrong = "'" + std::string(argv[optind - 1]) + "' needs a value";
    } else if (letter == '?') {
      wrong = "'" + std::string(argv[refused]) + "' is no option (see --help)";
    } else if (letter == 'h') {
      options.help = true;
    } else if (letter != -1) {
      wrong = set(options, letter, optarg);
    }
  }
  if (wrong.empty() && optind < argc) {
    wrong = "'" + std::string(argv[optind]) + "' is one argument too many (see --help)";
  }
  if (!wrong.empty()) return wrong;
  return options;
}

}  // namespace iotrace
