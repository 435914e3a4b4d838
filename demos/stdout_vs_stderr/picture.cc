// The waves and their noise; see picture.h.
#include "picture.h"

#include <cmath>
#include <numbers>

namespace iotrace {
namespace {

constexpr int kPhasesPerSecond = 90;  // of 256 to a wave

}  // namespace

Picture::Picture() {
  for (int i = 0; i < 256; ++i) {
    sine_[static_cast<size_t>(i)] =
        static_cast<int8_t>(std::lround(127 * std::sin(2 * std::numbers::pi * i / 256)));
  }
}

void Picture::advance(Size pixels, double seconds) {
  pixels_ = pixels;
  // A whole number of waves may be left out, which keeps the number small however long it runs.
  phase_ = static_cast<int>(std::fmod(seconds * kPhasesPerSecond, 256));
}

int Picture::level(int x, int y) {
  const int waves =
      (wave(3 * x + phase_) + wave(4 * y - phase_) + wave(2 * (x + y) + 2 * phase_)) / 3;
  // Marsaglia's xorshift: three shifts are all the randomness that the eye asks for.
  noise_ ^= noise_ << 13;
  noise_ ^= noise_ >> 17;
  noise_ ^= noise_ << 5;
  const int noise = static_cast<int>(noise_ >> 24) - 128;
  const int noise_share = x * x / pixels_.columns;  // of as many as there are columns
  const int mixed =
      (waves * (pixels_.columns - noise_share) + noise * noise_share) / pixels_.columns;
  return (mixed + 128) * kLevels / 256;
}

}  // namespace iotrace
