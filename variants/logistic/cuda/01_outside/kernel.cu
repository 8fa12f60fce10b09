// Idea:    outside: one thread per block, one element per thread; words are compared once, before the loops over steps
// Layout:  arrays of values and words, x[ny][nx], a[ny][nx], b[ny][nx], one copy
// Traffic: values and words read and values written once per pass of all steps
// Source:  Zheng, section 4.1, first listing, with the bounded map
// Bound:   double-precision issue rate: 3 instructions per update, each using one lane of 32
#include "variants/logistic/cuda/solver.hpp"

namespace logistic {
namespace {

/// Advances one element per block with one of two loops, selected by a single comparison.
template <class real>
__global__ void compare(Pass<real> pass) {
  const unsigned n = blockIdx.x;
  real x = pass.x[n];
  if (pass.a[n] != pass.b[n]) {
    for (std::int64_t step = 0; step < pass.steps; ++step)
      x = logistic_map<real>(LOGISTIC_DIFFERENT, x);
  } else {
    for (std::int64_t step = 0; step < pass.steps; ++step)
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
    .follows = "",
    .traffic = logistic::once_a_pass,
    .lattices = 1,
    .make = ladder::make_solver<logistic::Toy, logistic::Model>,
};
