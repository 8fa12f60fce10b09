// Wrong: drives a site even if a population becomes negative.
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  template <class real>
  static void accelerate(real* f, real w1, real w2, std::int64_t) {
    f[1] += w1;
    f[5] += w2;
    f[8] += w2;
    f[3] -= w1;
    f[6] -= w2;
    f[7] -= w2;
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
