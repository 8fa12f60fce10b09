#pragma once

namespace ladder {

/// Bytes that one update (or one element of a ceiling) moves between memory and processor, read and written apart.
struct Traffic {
  double read = 0;
  double write = 0;

  [[nodiscard]] constexpr double total() const { return read + write; }
};

}  // namespace ladder
