#pragma once

#include <functional>
#include <string_view>
#include <vector>

namespace ladder {

/// A part of a step that is measured by itself.
struct Phase {
  std::string_view name;      ///< lower-case letters, digits and `_`
  std::function<void()> run;  ///< runs it once; may return before the work is done
};

/// A second base of solvers whose step consists of phases (docs/add-a-rung.md, "Phases"). It is not a part of `Solver`, so that
/// the executables of all other rungs do not depend on it.
class Phased {
 public:
  Phased() = default;
  Phased(const Phased&) = delete;
  Phased& operator=(const Phased&) = delete;
  virtual ~Phased() = default;

  /// The phases, which do one step if they run in this order. They are valid as long as the solver.
  virtual std::vector<Phase> phases() = 0;
};

}  // namespace ladder
