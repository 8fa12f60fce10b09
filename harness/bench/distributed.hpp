#pragma once

#include <vector>

#include "harness/bench/domain.hpp"

namespace ladder {

/// A second base class of solvers whose lattice is distributed over the processes of the team (backends/team.hpp). Every
/// process has a solver and makes the same calls, except for store() and load(), which take boxes that the process owns.
/// conserved() and history() return values of the whole lattice to every process. It is separate from `Solver`, so that the
/// executables of all other rungs do not depend on it.
class Distributed {
 public:
  Distributed() = default;
  Distributed(const Distributed&) = delete;
  Distributed& operator=(const Distributed&) = delete;
  virtual ~Distributed() = default;

  /// The boxes of the lattice that this process owns. Each cell has exactly one owner.
  [[nodiscard]] virtual std::vector<Box> owned() const = 0;
};

}  // namespace ladder
