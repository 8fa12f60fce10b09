// Idea:    4 x (1 - x) as x (4 - 4 x): multiplying by 4 is exact, so a fused multiply-add gives the same bits with one
//          multiplication less; 3.8 x is not exact and keeps its three operations
// Layout:  arrays of values and words, x[ny][nx], a[ny][nx], b[ny][nx], one copy
// Traffic: values and words read and values written once per pass of all steps
// Source:  this project
// Bound:   double-precision issue rate: 2 instructions per update where words differ; 5 in warps that take both branches
#include "variants/logistic/cuda/solver.hpp"

namespace logistic {
namespace {

/// The logistic map with factor 4, rounded like logistic_map(): 4 x and 4 - 4 x are exact multiples of the values it rounds.
template <class real>
__device__ real map_by_four(real x) {
  return x * fma(real{-4}, x, real{4});
}

/// Advances one element per thread with one of two loops, selected by a single comparison.
template <class real>
__global__ void compare(Pass<real> pass) {
  const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= pass.count) return;
  real x = pass.x[n];
  if (pass.a[n] != pass.b[n]) {
    for (std::int64_t step = 0; step < pass.steps; ++step)
      x = map_by_four(x);
  } else {
    for (std::int64_t step = 0; step < pass.steps; ++step)
      x = logistic_map<real>(LOGISTIC_EQUAL, x);
  }
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
