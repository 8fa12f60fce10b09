#pragma once

namespace ladder {

/// A second base class of solvers that accept cases with obstacles, for models with rungs that do not (ObstacleRules). It is
/// separate from `Solver`, so that the executables of all other rungs do not depend on it.
class TakesObstacles {
 public:
  TakesObstacles() = default;
  TakesObstacles(const TakesObstacles&) = delete;
  TakesObstacles& operator=(const TakesObstacles&) = delete;
  virtual ~TakesObstacles() = default;
};

/// How the harness treats a model's cases with obstacles. By default, every rung accepts them. A model with rungs that do not
/// specializes this template in the header that ladder_add_model() names as RESULTS.
template <class Model>
struct ObstacleRules {
  /// Whether only solvers derived from TakesObstacles accept cases with obstacles.
  static constexpr bool are_optional = false;
  /// Whether steps of the case conserve the sum of all populations.
  static bool conserves(const typename Model::Case& c) { return Model::conserves(c); }
};

}  // namespace ladder
