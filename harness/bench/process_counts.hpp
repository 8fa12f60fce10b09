#pragma once

#include <cstddef>
#include <optional>

namespace ladder {

/// How many processes took part in a command, and on how many nodes; part of the answers to `check`, `measure` and `profile`.
struct ProcessCounts {
  int processes = 0;
  std::size_t nodes = 0;
};

/// Collective: all processes must call it. Empty for a backend that cannot run in several processes.
std::optional<ProcessCounts> process_counts();

}  // namespace ladder
