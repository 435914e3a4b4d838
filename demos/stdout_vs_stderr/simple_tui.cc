// The smallest full-screen program: a box with a drawing in its middle, until somebody types q. It
// draws on stdout, buffered as stdio does it on a terminal, and only when there is something new.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>

#include "piece_writer.h"
#include "terminal.h"

namespace iotrace {
namespace {

constexpr std::string_view kDrawing[] = {
    "      )  (      ", "     (   ) )    ",  "      ) ( (     ",
    "   .---------.  ", "   |         |-.",  "   |  q: go  | |",
    "   |         |-'", "    \\_______/   ", "  '-----------' ",
};
constexpr int kDrawingColumns = static_cast<int>(kDrawing[0].size());
constexpr int kDrawingRows = static_cast<int>(std::size(kDrawing));
// A change of the window that comes right before the wait would not end it.
constexpr double kLongestWaitS = 0.5;

void put_at(PieceWriter& writer, int row, int column, std::string_view text) {
  writer.put("\x1b[" + std::to_string(row) + ";" + std::to_string(column) + "H");
  writer.put(text);
}

std::string border(std::string_view left, std::string_view right, int columns) {
  std::string line(left);
  for (int i = 2; i < columns; ++i) line += "\u2500";
  line += right;
  return line;
}

// A window too small for the drawing has the box alone.
bool draw(PieceWriter& writer, Size size) {
  writer.put("\x1b[2J");
  put_at(writer, 1, 1, border("\u250c", "\u2510", size.columns));
  for (int row = 2; row < size.rows; ++row) {
    put_at(writer, row, 1, "\u2502");
    put_at(writer, row, size.columns, "\u2502");
  }
  put_at(writer, size.rows, 1, border("\u2514", "\u2518", size.columns));
  const int left = (size.columns - kDrawingColumns) / 2 + 1;
  const int top = (size.rows - kDrawingRows) / 2 + 1;
  if (left > 1 && top > 1) {
    for (int i = 0; i < kDrawingRows; ++i) put_at(writer, top + i, left, kDrawing[i]);
  }
  return writer.flush();
}

int run() {
  PieceWriter writer(Stream::kStdout, BufferMode::kLine);
  const std::optional<Size> size = terminal_size(writer.fd());
  const int keys_fd = keys_descriptor(writer.fd());
  if (!size || keys_fd < 0) {
    std::fprintf(stderr, "simple_tui: stdout is no terminal; start it in one\n");
    return 2;
  }
  take_terminal(writer.fd(), keys_fd);
  bool drawn = draw(writer, *size);
  while (drawn && wait_for_key(keys_fd, kLongestWaitS) != kQuitKey) {
    if (window_has_changed()) drawn = draw(writer, terminal_size(writer.fd()).value_or(*size));
  }
  give_terminal_back();
  if (drawn) return 0;
  std::fprintf(stderr, "simple_tui: stdout: %s\n", std::strerror(errno));
  return 1;
}

}  // namespace
}  // namespace iotrace

int main(int argc, char** argv) {
  if (argc > 1) {
    std::fprintf(stderr, "simple_tui: '%s' is one argument too many; it takes none\n", argv[1]);
    return 2;
  }
  return iotrace::run();
}
