#pragma once

#include <cstdint>

#include "variants/lattice/processor.hpp"
#include "variants/logistic/model.hpp"

namespace logistic {

/// Nothing streams: a step writes to the locations that it has read.
struct InPlace : lattice::Pull {
  static constexpr bool in_place = true;
};

/// Base of the CPU rungs: values and words of the elements, [y][x] each, in one contiguous array.
template <class real>
class Elements : public lattice::ProcessorSolver<Model, real, lattice::StructureOfArrays, InPlace> {
 protected:
  explicit Elements(const Case& c)
      : lattice::ProcessorSolver<Model, real, lattice::StructureOfArrays, InPlace>(c),
        count_(c.cells()),
        a_(static_cast<std::size_t>(count_)),
        b_(static_cast<std::size_t>(count_)) {}

  /// First-touches row y with its initial values.
  void initialize_row(int y) {
    this->initialize(y);
    for (int x = 0; x < this->case_.nx; ++x) {
      const auto n = static_cast<std::size_t>(this->layout_.cell(x, y));
      const Words words = this->case_.words(x, y);
      a_[n] = words.a;
      b_[n] = words.b;
    }
  }

  const std::int64_t count_;        ///< number of elements
  ladder::Array<std::uint32_t> a_;  ///< [y * nx + x]
  ladder::Array<std::uint32_t> b_;  ///< [y * nx + x]
};

}  // namespace logistic
