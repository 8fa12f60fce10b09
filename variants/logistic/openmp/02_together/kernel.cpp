// Idea:    vectors: 64 elements advance together; the comparison selects their factors once, before the loop over steps
// Layout:  arrays of values and words, x[ny][nx], a[ny][nx], b[ny][nx], one copy
// Traffic: values and words read and values written once per pass of all steps
// Source:  this project
// Bound:   arithmetic: three operations per update that must not be fused
#include <algorithm>

#include "variants/logistic/processor.hpp"

namespace logistic {
namespace {

constexpr std::int64_t together = 64;

template <class real>
class Toy final : public Elements<real> {
  using Elements<real>::f_, Elements<real>::a_, Elements<real>::b_;

 public:
  Toy(const Case& c, const ladder::Tuning&) : Elements<real>(c) {
#pragma omp parallel for schedule(static)
    for (int y = 0; y < c.ny; ++y)
      this->initialize_row(y);
  }

  void advance(std::int64_t steps) override {
#pragma omp parallel for schedule(static)
    for (std::int64_t first = 0; first < this->count_; first += together) {
      const std::int64_t count = std::min(together, this->count_ - first);
      real x[together] = {}, r[together] = {};  // past the last element, zeros stay zeros
      for (std::int64_t k = 0; k < count; ++k) {
        x[k] = f_[first + k];
        r[k] = a_[first + k] != b_[first + k] ? LOGISTIC_DIFFERENT : LOGISTIC_EQUAL;
      }
      for (std::int64_t step = 0; step < steps; ++step)
#pragma omp simd
        for (std::int64_t k = 0; k < together; ++k)
          x[k] = logistic_map(r[k], x[k]);
      for (std::int64_t k = 0; k < count; ++k)
        f_[first + k] = x[k];
    }
  }
};

}  // namespace
}  // namespace logistic

const logistic::Rung logistic::rung = {.follows = "logistic/openmp/01_inside",
                                       .traffic = logistic::once_a_pass,
                                       .lattices = 1,
                                       .make = ladder::make_solver<logistic::Toy, logistic::Model>};
