#pragma once

#include <string_view>

namespace ladder {

/// Bytes that one update (or one element of a ceiling) moves between the processor and a level of its memory, read and written
/// apart.
struct Traffic {
  double read = 0;
  double write = 0;
  /// Memory level that the bytes cross: `dram`, `l2`, `shared` (a GPU's shared memory), `cache` (of a processor).
  std::string_view level = "dram";

  [[nodiscard]] constexpr double total() const { return read + write; }
};

}  // namespace ladder
