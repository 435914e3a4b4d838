// The moving picture: grey waves that dissolve into noise towards the right edge. Two pixels a
// cell, one above the other. Plain integer arithmetic, so that the time of a frame goes into its
// output. tui_demo.
#pragma once

#include <array>
#include <cstdint>

#include "terminal.h"

namespace iotrace {

class Picture {
 public:
  static constexpr int kLevels = 24;  // the grey ramp of a terminal with 256 colours

  Picture();

  // Moves on to the frame that is shown `seconds` after the start.
  void advance(Size pixels, double seconds);
  // The grey of a pixel, 0 to kLevels - 1, 0 the darkest. The noise is new for each call.
  int level(int x, int y);

 private:
  int wave(int phase) const { return sine_[static_cast<uint8_t>(phase)]; }

  std::array<int8_t, 256> sine_;
  Size pixels_;
  int phase_ = 0;
  uint32_t noise_ = 2463534242;
};

}  // namespace iotrace
