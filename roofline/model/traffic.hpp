#pragma once

#include <string_view>

namespace ladder {

/// Bytes that one update (or one element of a ceiling) moves between the processor and a level of its memory, separately for
/// reads and writes.
struct Traffic {
  double read = 0;
  double write = 0;
  /// Memory level of these bytes: `dram`, `l2`, `shared` (a GPU's shared memory), `cache` (of a processor).
  std::string_view level = "dram";

  [[nodiscard]] constexpr double total() const { return read + write; }
};

}  // namespace ladder
