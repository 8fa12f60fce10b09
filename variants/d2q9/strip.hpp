#pragma once

#include <array>
#include <span>
#include <vector>

#include "variants/d2q9/model.hpp"
#include "variants/lattice/strip.hpp"

namespace d2q9 {

using lattice::Strip;

/// Directions that cross the northern and the southern border of a strip.
using Crossing = std::array<int, 3>;
inline constexpr Crossing leaving_north = {2, 5, 6}, leaving_south = {4, 7, 8};

/// A solver of a strip, whose state and average speeds are those of the whole lattice.
template <class Base>
class StripState : public lattice::StripState<Model, Base> {
 public:
  std::span<const double> history() override { return averages_; }

 protected:
  using lattice::StripState<Model, Base>::StripState;

  /// Appends the average speeds of several steps, given the sums over all fluid cells of the whole lattice.
  void record(std::span<const double> sums) {
    for (const double sum : sums)
      averages_.push_back(sum / static_cast<double>(this->strip_.fluid_cells));
  }

  /// Same as above for the steps since the last call, given the sums over the own cells in all steps so far.
  void record_new(std::span<const double> sums) {
    const std::span<const double> own = sums.subspan(averages_.size());
    std::vector<double> all(own.begin(), own.end());
    ladder::team().add(all);
    record(all);
  }

 private:
  std::vector<double> averages_;
};

}  // namespace d2q9
