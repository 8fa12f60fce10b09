// Idea:    four flags: the words are compared once, in the solver's constructor, and reduced to one byte; __vsetne4 compares
//          the four flags of a thread's elements at once
// Layout:  x[ny][nx], flags[ny][nx] of one byte, one copy
// Traffic: values and flags read and values written once per pass of all steps
// Source:  Zheng, section 4.3, which compares a cell's flag with 8; here with four flags in a word
// Bound:   double-precision issue rate: 3 instructions per update
#include "variants/logistic/cuda/flags.hpp"

namespace logistic {
namespace {

/// Advances four neighbouring elements per thread; byte k of flags[n] is the flag of element 4 n + k.
template <class real>
__global__ void compare(Pass<real> pass, const unsigned* flags) {
  const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
  if (per_thread * n >= pass.count) return;
  const unsigned count = min(pass.count - per_thread * n, per_thread);
  const unsigned differs = __vsetne4(flags[n], equal * 0x01010101u);
  real* const numbers = pass.x + per_thread * n;
  real x[per_thread], r[per_thread];
#pragma unroll
  for (unsigned k = 0; k < per_thread; ++k) {
    x[k] = k < count ? numbers[k] : real{0};
    r[k] = differs >> 8 * k & 1 ? LOGISTIC_DIFFERENT : LOGISTIC_EQUAL;
  }
  for (std::int64_t step = 0; step < pass.steps; ++step)
#pragma unroll
    for (unsigned k = 0; k < per_thread; ++k)
      x[k] = logistic_map(r[k], x[k]);
#pragma unroll
  for (unsigned k = 0; k < per_thread; ++k)
    if (k < count) numbers[k] = x[k];
}

template <class real>
class Toy final : public FlaggedElements<real> {
 public:
  Toy(const Case& c, const ladder::Tuning& tuning) : FlaggedElements<real>(c, row_block(tuning)) {}
  void advance(std::int64_t steps) override { this->launch_(compare<real>, this->pass(steps), this->flags()); }
};

}  // namespace
}  // namespace logistic

const logistic::Rung logistic::rung = {
    .follows = "logistic/cuda/08_factor",
    .traffic = logistic::flagged_once_a_pass,
    .lattices = 1,
    .tunables = {lattice::cuda::threads_tunable(256, 512, "four elements")},
    .make = ladder::make_solver<logistic::Toy, logistic::Model>,
};
