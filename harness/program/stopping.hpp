#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

#include "harness/store/rows.hpp"
#include "reports/statistics.hpp"

namespace ladder {

/// What has a noise of its own: a backend on a case.
struct NoiseSource {
  std::string backend, case_name;

  auto operator<=>(const NoiseSource&) const = default;
};

/// One ratio that a study asks for: the speed of a cell over that of the cell it is set against. Cells go by their keys.
struct Pair {
  std::string cell, over;
  NoiseSource noise;
  int rounds = 0;  ///< that the two are measured in at most
};

/// Decides when more rounds would tell nothing new (docs/measuring.md, "When rounds end").
class Stopping {
 public:
  enum class Reason { none, resolved, noise };

  struct Judgement {
    Reason reason = Reason::none;
    std::size_t unresolved = 0;  ///< pairs without a verdict
  };

  explicit Stopping(std::vector<Pair> pairs) : pairs_(std::move(pairs)) {}

  /// Takes in a sample or a twin; other rows, and those that are not ok, are passed over.
  void add(const Row& row);

  /// Whether to judge after this many rounds: 6, and then each time half as many have come: who looks after every round stops
  /// at the first interval that happens to be narrow.
  static bool looks_after(int rounds);

  /// `resolved` where every pair has a verdict; `noise` where no pair without one could get it within its rounds, as intervals
  /// narrow with the square root of the rounds; `none` where nothing is asked for: then all rounds are made.
  [[nodiscard]] Judgement judge() const;

  /// The largest noise floor of the source's twins; NaN if it has none.
  [[nodiscard]] double floor(const NoiseSource& source) const;

 private:
  struct Cell {
    reports::Series samples, twins;
    NoiseSource noise;
  };

  [[nodiscard]] bool could_be_resolved(const reports::Ratio& ratio, double floor, int rounds) const;

  std::vector<Pair> pairs_;
  std::map<std::string, Cell> cells_;
};

}  // namespace ladder
