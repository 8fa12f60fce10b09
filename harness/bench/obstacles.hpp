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

/// Like TakesObstacles, but for cases with open boundaries (OpenBoundaryRules).
class TakesOpenBoundaries {
 public:
  TakesOpenBoundaries() = default;
  TakesOpenBoundaries(const TakesOpenBoundaries&) = delete;
  TakesOpenBoundaries& operator=(const TakesOpenBoundaries&) = delete;
  virtual ~TakesOpenBoundaries() = default;
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

/// Which of a model's cases have open boundaries, i.e. kinds of boundary cells that only some rungs support. By default, none
/// do. A model with such cases specializes this template like ObstacleRules.
template <class Model>
struct OpenBoundaryRules {
  /// Whether only solvers derived from TakesOpenBoundaries accept the case.
  static bool needs(const typename Model::Case&) { return false; }
};

/// Features of a case that some of its model's rungs do not accept.
struct OptionalParts {
  bool obstacles = false, open_boundaries = false;

  /// Whether `other` contains all of these parts.
  [[nodiscard]] bool are_in(const OptionalParts& other) const {
    return (other.obstacles || !obstacles) && (other.open_boundaries || !open_boundaries);
  }
};

template <class Model>
OptionalParts optional_parts(const typename Model::Case& c) {
  return {ObstacleRules<Model>::are_optional && !c.solid.empty(), OpenBoundaryRules<Model>::needs(c)};
}

}  // namespace ladder
