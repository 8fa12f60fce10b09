#pragma once

#include <span>
#include <vector>

#include "variants/d2q9/model.hpp"
#include "variants/lattice/strip.hpp"

namespace d2q9 {

using lattice::Strip;

/// A solver of a strip, whose state and average speeds are those of the whole lattice.
template <class Base>
class StripState : public lattice::StripState<Model, Base> {
 public:
  std::span<const double> history() override { return averages_; }

 protected:
  using lattice::StripState<Model, Base>::StripState;

  /// Appends steps' average speeds, given the sums over all fluid cells of the whole lattice.
  void record(std::span<const double> sums) {
    for (const double sum : sums)
      averages_.push_back(sum / static_cast<double>(this->strip_.fluid_cells));
  }

 private:
  std::vector<double> averages_;
};

}  // namespace d2q9
