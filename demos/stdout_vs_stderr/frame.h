// Draws one frame: the title line and, below it, the picture cell by cell. Every cell is two
// pieces, colours and character, as terminal libraries write them; what becomes of the pieces is
// the writer's business. tui_demo.
#pragma once

#include <string>
#include <vector>

#include "picture.h"
#include "piece_writer.h"
#include "terminal.h"

namespace iotrace {

class FramePainter {
 public:
  FramePainter();

  // `seconds` since the start; `counter` is the text at the right end of the title line.
  void paint(PieceWriter& writer, Size size, double seconds, const std::string& counter);

 private:
  const std::string& colours(int upper, int lower) const;

  Picture picture_;
  std::vector<std::string> colours_;  // a sequence for each pair of greys
};

}  // namespace iotrace
