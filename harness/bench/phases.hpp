#pragma once

#include <functional>
#include <string_view>
#include <vector>

namespace ladder {

/// A part of a step that can be measured separately.
struct Phase {
  std::string_view name;      ///< lower-case letters, digits and `_`
  std::function<void()> run;  ///< runs the phase once; may return before the work is done
};

/// A second base class of solvers whose steps consist of phases (docs/add-a-rung.md, "Phases"). It is separate from `Solver`,
/// so that the executables of all other rungs do not depend on it.
class Phased {
 public:
  Phased() = default;
  Phased(const Phased&) = delete;
  Phased& operator=(const Phased&) = delete;
  virtual ~Phased() = default;

  /// The phases, which perform one step when run in this order. They are valid for the solver's lifetime.
  virtual std::vector<Phase> phases() = 0;
};

}  // namespace ladder
