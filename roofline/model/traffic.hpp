#pragma once

#include <string_view>

namespace ladder {

/// Bytes moved between the processor and one memory level per update (or per element of a ceiling), with reads and writes
/// counted separately.
struct Traffic {
  double read = 0;
  double write = 0;
  /// The memory level: `dram`, `l2`, `shared` (a GPU's shared memory) or `cache` (of a CPU).
  std::string_view level = "dram";

  [[nodiscard]] constexpr double total() const { return read + write; }
};

}  // namespace ladder
