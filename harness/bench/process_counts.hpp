#pragma once

#include <cstddef>
#include <optional>

namespace ladder {

/// The processes of a command and the nodes on which they run, as counted in the answers to `check`, `measure` and `profile`.
struct ProcessCounts {
  int processes = 0;
  std::size_t nodes = 0;
};

/// All processes call it together. Nothing for a backend that cannot run in several processes.
std::optional<ProcessCounts> process_counts();

}  // namespace ladder
