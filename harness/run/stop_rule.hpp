#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

#include "harness/record/rows.hpp"
#include "harness/record/statistics.hpp"

namespace ladder {

/// A source of noise: a backend running a case.
struct NoiseSource {
  std::string backend, case_name;

  auto operator<=>(const NoiseSource&) const = default;
};

/// A ratio requested by a study: the speed of a cell over the speed of the cell it is compared with. Cells are identified by
/// key.
struct Pair {
  std::string cell, over;
  NoiseSource noise;
  int rounds = 0;  ///< the larger number of rounds of the two
};

/// Decides when further rounds would not yield a new verdict (docs/measuring.md, "When rounds end").
class StopRule {
 public:
  enum class Reason { none, resolved, noise };

  struct Judgement {
    Reason reason = Reason::none;
    std::size_t unresolved = 0;  ///< pairs without a verdict
  };

  explicit StopRule(std::vector<Pair> pairs) : pairs_(std::move(pairs)) {}

  /// Adds a sample or a twin; other rows, and rows that are not ok, are ignored.
  void add(const Row& row);

  /// Whether to judge after this many rounds: after 6, then whenever their number has grown by half. Checking after every round
  /// would stop at the first interval that is narrow by chance.
  static bool looks_after(int rounds);

  /// `resolved` if every pair has a verdict; `noise` if no remaining pair could get one within its rounds, given that intervals
  /// narrow with the square root of the number of rounds; `none` if the study requests no ratio, in which case all rounds are
  /// run.
  [[nodiscard]] Judgement judge() const;

  /// The largest noise floor over the source's twins; NaN if there are none.
  [[nodiscard]] double floor(const NoiseSource& source) const;

 private:
  struct Cell {
    Series samples, twins;
    NoiseSource noise;
  };

  [[nodiscard]] bool could_be_resolved(const Ratio& ratio, double floor, int rounds) const;

  std::vector<Pair> pairs_;
  std::map<std::string, Cell> cells_;
};

}  // namespace ladder
