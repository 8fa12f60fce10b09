// Idea:    inside, __vsetne4: in each step, which the compiler also hoists: the loops' machine code stays the same
// Layout:  arrays of values and words, x[ny][nx], a[ny][nx], b[ny][nx], one copy
// Traffic: values and words read and values written once per pass of all steps
// Source:  Zheng, section 4.1, second listing, with the bounded map
// Bound:   double-precision issue rate: 3 instructions per update, each using one lane of 32, as before
#include "variants/logistic/cuda/solver.hpp"

namespace logistic {
namespace {

/// Advances one element per block, comparing its words in each step.
template <class real>
__global__ void compare(Pass<real> pass) {
  const unsigned n = blockIdx.x;
  real x = pass.x[n];
  for (std::int64_t step = 0; step < pass.steps; ++step) {
    if (__vsetne4(pass.a[n], pass.b[n]))
      x = logistic_map<real>(LOGISTIC_DIFFERENT, x);
    else
      x = logistic_map<real>(LOGISTIC_EQUAL, x);
  }
  pass.x[n] = x;
}

template <class real>
class Toy final : public Elements<real> {
 public:
  Toy(const Case& c, const ladder::Tuning&) : Elements<real>(c, one_thread) {}
  void advance(std::int64_t steps) override { this->launch_(compare<real>, this->pass(steps)); }
};

}  // namespace
}  // namespace logistic

const logistic::Rung logistic::rung = {
    .follows = "logistic/cuda/03_inside",
    .traffic = logistic::once_a_pass,
    .lattices = 1,
    .make = ladder::make_solver<logistic::Toy, logistic::Model>,
};
