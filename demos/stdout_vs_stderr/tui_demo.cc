// A moving grey picture over the whole terminal, to see what a frame costs on stdout and on stderr.
// The loop here is an ordinary one, draw, flush, wait; all that differs between the two is the
// buffer that the stream has.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <variant>

#include "frame.h"
#include "piece_writer.h"
#include "terminal.h"
#include "tui_options.h"

namespace iotrace {
namespace {

constexpr double kCounterPeriodS = 1;

double now() {
  using std::chrono::duration;
  using std::chrono::steady_clock;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// Frames per second over the last whole period.
class FrameCounter {
 public:
  explicit FrameCounter(double start) : period_start_(start) {}

  void count(double time) {
    ++frames_;
    if (time - period_start_ < kCounterPeriodS) return;
    char text[32];
    std::snprintf(text, sizeof text, "%.1f fps", frames_ / (time - period_start_));
    text_ = text;
    period_start_ = time;
    frames_ = 0;
  }
  const std::string& text() const { return text_; }

 private:
  double period_start_;
  int frames_ = 0;
  std::string text_ = "... fps";
};

class Show {
 public:
  explicit Show(const TuiOptions& options)
      : options_(options),
        writers_{PieceWriter(options.stream, mode_of(options.stream)),
                 PieceWriter(other_stream(options.stream), mode_of(other_stream(options.stream)))} {
  }

  int run();

 private:
  BufferMode mode_of(Stream stream) const { return options_.buffer.value_or(usual_buffer(stream)); }
  PieceWriter& drawn_on() { return writers_[drawn_]; }
  PieceWriter& other() { return writers_[1 - drawn_]; }

  bool start();
  bool draw_until_the_end();
  void switch_streams();
  bool tell_result();
  static int complain(PieceWriter& about);

  TuiOptions options_;
  PieceWriter writers_[2];
  int drawn_ = 0;
  Size size_;
  int keys_fd_ = -1;
  double frames_ = 0;
  double seconds_ = 0;
};

// False if there is nothing to draw on. Also what follows a change of the window's size.
bool Show::start() {
  const std::optional<Size> found = options_.size ? options_.size : terminal_size(drawn_on().fd());
  if (found) size_ = *found;
  return found.has_value();
}

// Not where no picture could appear: on a stream that is no terminal, unless a size was given.
void Show::switch_streams() {
  if (!options_.size && !terminal_size(other().fd())) return;
  give_terminal_back();
  drawn_ = 1 - drawn_;
  start();
  take_terminal(drawn_on().fd(), keys_fd_);
}

bool Show::draw_until_the_end() {
  FramePainter painter;
  const double start_time = now();
  const double end_time = options_.duration_s > 0 ? start_time + options_.duration_s
                                                  : std::numeric_limits<double>::infinity();
  FrameCounter counter(start_time);
  double next_frame = start_time;
  for (bool quit = false; !quit;) {
    if (window_has_changed()) start();
    painter.paint(drawn_on(), size_, now() - start_time, counter.text());
    if (!drawn_on().flush()) return false;
    ++frames_;
    double time = now();
    counter.count(time);
    // A frame that came late is not made up for.
    next_frame =
        options_.frame_cap > 0 ? std::max(next_frame + 1 / options_.frame_cap, time) : time;
    const double end_of_wait = std::min(next_frame, end_time);
    // Once without waiting, so that keys count where there is never time to wait.
    do {
      const std::optional<char> key = wait_for_key(keys_fd_, std::max(end_of_wait - time, 0.0));
      if (key == ' ') switch_streams();
      if (key == kQuitKey) quit = true;
      time = now();
    } while (!quit && time < end_of_wait);
    quit = quit || time >= end_time;
    seconds_ = time - start_time;
  }
  return true;
}

bool Show::tell_result() {
  char text[128];
  std::snprintf(text, sizeof text,
                "tui_demo: %.0f frames in %.2f s: %.1f frames per second on %s\n", frames_,
                seconds_, frames_ / seconds_, name_of(drawn_on().stream()));
  other().put(text);
  return other().flush();
}

// To stderr, whichever of the two has failed.
int Show::complain(PieceWriter& about) {
  std::fprintf(stderr, "tui_demo: %s: %s\n", name_of(about.stream()), std::strerror(errno));
  return 1;
}

int Show::run() {
  if (!start()) {
    std::fprintf(stderr,
                 "tui_demo: %s is no terminal; draw on another stream (--stream) or give a size "
                 "(--size COLSxROWS)\n",
                 name_of(drawn_on().stream()));
    return 2;
  }
  keys_fd_ = keys_descriptor(drawn_on().fd());
  take_terminal(drawn_on().fd(), keys_fd_);
  const bool drawn = draw_until_the_end();
  give_terminal_back();
  if (!drawn) return complain(drawn_on());
  return tell_result() ? 0 : complain(other());
}

}  // namespace
}  // namespace iotrace

int main(int argc, char** argv) {
  const std::variant<iotrace::TuiOptions, std::string> parsed =
      iotrace::parse_tui_options(argc, argv);
  if (const auto* wrong = std::get_if<std::string>(&parsed)) {
    std::fprintf(stderr, "tui_demo: %s\n", wrong->c_str());
    return 2;
  }
  const auto& options = std::get<iotrace::TuiOptions>(parsed);
  if (options.help) return std::fputs(iotrace::kTuiHelp, stdout) < 0 || std::fflush(stdout) != 0;
  return iotrace::Show(options).run();
}
