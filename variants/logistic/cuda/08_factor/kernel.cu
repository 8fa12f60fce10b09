// Idea:    factor: selected by the comparison instead of a branch, so that no warp runs two loops
// Layout:  arrays of values and words, x[ny][nx], a[ny][nx], b[ny][nx], one copy
// Traffic: values and words read and values written once per pass of all steps
// Source:  this project
// Bound:   double-precision issue rate: 3 instructions per update
#include "variants/logistic/cuda/solver.hpp"

namespace logistic {
namespace {

/// Advances one element per thread.
template <class real>
__global__ void compare(Pass<real> pass) {
  const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= pass.count) return;
  const real r = pass.a[n] != pass.b[n] ? LOGISTIC_DIFFERENT : LOGISTIC_EQUAL;
  real x = pass.x[n];
  for (std::int64_t step = 0; step < pass.steps; ++step)
    x = logistic_map(r, x);
  pass.x[n] = x;
}

template <class real>
class Toy final : public Elements<real> {
 public:
  Toy(const Case& c, const ladder::Tuning& tuning) : Elements<real>(c, row_block(tuning)) {}
  void advance(std::int64_t steps) override { this->launch_(compare<real>, this->pass(steps)); }
};

}  // namespace
}  // namespace logistic

const logistic::Rung logistic::rung = {
    .follows = "logistic/cuda/07_blocks",
    .traffic = logistic::once_a_pass,
    .lattices = 1,
    .tunables = {lattice::cuda::threads_tunable(256, 512, "element")},
    .make = ladder::make_solver<logistic::Toy, logistic::Model>,
};
