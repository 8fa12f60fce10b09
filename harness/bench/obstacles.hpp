#pragma once

namespace ladder {

/// A second base class for solvers that accept cases with obstacles, in models where other rungs do not (ObstacleRules). It is
/// separate from `Solver` so that the executables of all other rungs do not depend on it.
class TakesObstacles {
 public:
  TakesObstacles() = default;
  TakesObstacles(const TakesObstacles&) = delete;
  TakesObstacles& operator=(const TakesObstacles&) = delete;
  virtual ~TakesObstacles() = default;
};

/// How the harness treats a model's cases with obstacles. By default, every rung accepts them. If some rungs of a model do not,
/// the model specializes this template in the header that it passes to ladder_add_model() as RESULTS.
template <class Model>
struct ObstacleRules {
  /// Whether only solvers derived from TakesObstacles accept cases with obstacles.
  static constexpr bool are_optional = false;
  /// Whether each step of the case conserves the sum of all populations.
  static bool conserves(const typename Model::Case& c) { return Model::conserves(c); }
};

}  // namespace ladder
