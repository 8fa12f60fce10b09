#pragma once

#include <vector>

#include "harness/bench/domain.hpp"

namespace ladder {

/// A second base of solvers whose lattice is spread over the processes of the team (backends/team.hpp). Every process has a
/// solver and makes the same calls, except store() and load(), which are for boxes that it owns. conserved() and history() give
/// the values of the whole lattice to each process. It is not a part of `Solver`, so that the executables of all other rungs do
/// not depend on it.
class Distributed {
 public:
  Distributed() = default;
  Distributed(const Distributed&) = delete;
  Distributed& operator=(const Distributed&) = delete;
  virtual ~Distributed() = default;

  /// The boxes of the lattice that this process owns. Each cell has one owner.
  [[nodiscard]] virtual std::vector<Box> owned() const = 0;
};

}  // namespace ladder
