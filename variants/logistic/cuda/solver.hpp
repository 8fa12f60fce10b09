#pragma once

#include <cstdint>
#include <vector>

#include "variants/lattice/cuda/solver.hpp"
#include "variants/lattice/cuda/tunables.hpp"
#include "variants/logistic/model.hpp"

namespace logistic {

using namespace ladder::cuda;  // names used in kernels
using lattice::cuda::row_block;

/// Arguments of a kernel that advances elements by several steps.
template <class real>
struct Pass {
  real* x;            ///< [count], read and written
  const unsigned* a;  ///< [count]
  const unsigned* b;  ///< [count]
  unsigned count;     ///< number of elements
  std::int64_t steps;
};

/// One thread per block, as in the publication; 31 of the 32 lanes of a warp are idle.
inline constexpr Shape one_thread = {1, 1};

/// Traffic of kernels that write each value in each step, through the L1 cache to the L2 cache. The words come from the L1
/// cache in all steps except the first.
inline std::vector<ladder::Traffic> stored_in_each_step(double real, const Case& c, const ladder::Tuning& tuning) {
  const ladder::Traffic once = once_a_pass(real, c, tuning).front();
  return {{once.read, real, "l2"}, once};
}

/// Base of the CUDA rungs: values and words of the elements, [y][x] each, in blocks of shape `block`, with `per_thread`
/// elements per thread.
template <class real>
class Elements : public lattice::cuda::Solver<Model, real, lattice::cuda::PullInPlace> {
 protected:
  Elements(const Case& c, Shape block, std::size_t per_thread = 1)
      : lattice::cuda::Solver<Model, real, lattice::cuda::PullInPlace>(lattice::numbered<std::int32_t>(c), block,
                                                                       lattice::structure_of_arrays(c)),
        launch_(over(this->device_, {(count() + per_thread - 1) / per_thread, 1}, block)),
        a_(this->device_, count()),
        b_(this->device_, count()) {
    const auto [a, b] = c.all_words();
    a_.write(a);
    b_.write(b);
  }

  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(this->case_.cells()); }
  [[nodiscard]] Pass<real> pass(std::int64_t steps) {
    return {this->f(), a_.data(), b_.data(), static_cast<unsigned>(count()), steps};
  }

  const Launch launch_;

 private:
  Buffer<unsigned> a_, b_;
};

}  // namespace logistic
