// Idea:    threads: each thread takes whole rows of elements and first-touches them
// Layout:  arrays of values and words, x[ny][nx], a[ny][nx], b[ny][nx], one copy
// Traffic: values and words read and values written once per pass of all steps
// Source:  Zheng, section 4.1, second listing, with the bounded map
// Bound:   latency of the multiplications: each step of an element depends on the previous one
#include "variants/logistic/processor.hpp"

namespace logistic {
namespace {

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
    for (std::int64_t n = 0; n < this->count_; ++n) {
      real x = f_[n];
      for (std::int64_t step = 0; step < steps; ++step) {
        if (a_[n] != b_[n])
          x = logistic_map<real>(LOGISTIC_DIFFERENT, x);
        else
          x = logistic_map<real>(LOGISTIC_EQUAL, x);
      }
      f_[n] = x;
    }
  }
};

}  // namespace
}  // namespace logistic

const logistic::Rung logistic::rung = {.follows = "logistic/serial/01_inside",
                                       .traffic = logistic::once_a_pass,
                                       .lattices = 1,
                                       .make = ladder::make_solver<logistic::Toy, logistic::Model>};
