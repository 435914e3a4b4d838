// Title and cells of a frame; see frame.h.
#include "frame.h"

#include <algorithm>
#include <string_view>

namespace iotrace {
namespace {

constexpr int kFirstGrey = 232;  // of the 256 colours
constexpr std::string_view kUpperHalfBlock = "\u2580";

std::string move_to_row(int row) { return "\x1b[" + std::to_string(row) + ";1H"; }

// The name has the middle, also when the counter at the right grows; a narrow window cuts off what
// does not fit.
void paint_title(PieceWriter& writer, int columns, std::string_view name,
                 std::string_view counter) {
  const auto width = static_cast<size_t>(columns);
  name = name.substr(0, width);
  const size_t before = (width - name.size()) / 2;
  const size_t after = width - before - name.size();
  counter = counter.substr(0, after);
  writer.put(move_to_row(1));
  writer.put("\x1b[0m");
  writer.put(std::string(before, ' '));
  writer.put("\x1b[1m");
  writer.put(name);
  writer.put("\x1b[0m");
  writer.put(std::string(after - counter.size(), ' '));
  writer.put(counter);
}

}  // namespace

FramePainter::FramePainter() {
  for (int upper = 0; upper < Picture::kLevels; ++upper) {
    for (int lower = 0; lower < Picture::kLevels; ++lower) {
      colours_.push_back("\x1b[38;5;" + std::to_string(kFirstGrey + upper) + ";48;5;" +
                         std::to_string(kFirstGrey + lower) + "m");
    }
  }
}

const std::string& FramePainter::colours(int upper, int lower) const {
  return colours_[static_cast<size_t>(upper) * Picture::kLevels + static_cast<size_t>(lower)];
}

void FramePainter::paint(PieceWriter& writer, Size size, double seconds,
                         const std::string& counter) {
  paint_title(writer, size.columns, name_of(writer.stream()), counter);
  picture_.advance({size.columns, 2 * (size.rows - 1)}, seconds);
  for (int row = 1; row < size.rows; ++row) {
    writer.put(move_to_row(row + 1));
    for (int column = 0; column < size.columns; ++column) {
      const int upper = picture_.level(column, 2 * (row - 1));
      const int lower = picture_.level(column, 2 * (row - 1) + 1);
      writer.put(colours(upper, lower));
      writer.put(kUpperHalfBlock);
    }
  }
}

}  // namespace iotrace
