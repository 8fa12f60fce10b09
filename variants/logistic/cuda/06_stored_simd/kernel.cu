// Idea:    stored, __vsetne4: the comparison cannot leave the loop: 4 instructions per step instead of 1, same accesses
// Layout:  arrays of values and words, x[ny][nx], a[ny][nx], b[ny][nx], one copy
// Traffic: one value written to the L2 cache and two words read from the L1 cache in each step; the rest once per pass
// Source:  this project: the program against which the publication should have compared its slow one
// Bound:   as before
#include "variants/logistic/cuda/solver.hpp"

namespace logistic {
namespace {

/// Advances one element per block, comparing its words and storing its value in each step.
template <class real>
__global__ void compare(Pass<real> pass) {
  const unsigned n = blockIdx.x;
  real x = pass.x[n];
  for (std::int64_t step = 0; step < pass.steps; ++step) {
    if (__vsetne4(pass.a[n], pass.b[n]))
      x = logistic_map<real>(LOGISTIC_DIFFERENT, x);
    else
      x = logistic_map<real>(LOGISTIC_EQUAL, x);
    pass.x[n] = x;
  }
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
    .follows = "logistic/cuda/05_stored",
    .traffic = logistic::stored_in_each_step,
    .lattices = 1,
    .make = ladder::make_solver<logistic::Toy, logistic::Model>,
};
