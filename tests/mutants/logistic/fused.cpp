// Wrong: the last multiplication is fused with the subtraction, r x - (r x) x.
#include <cmath>

#include "tests/mutants/logistic/mutant.hpp"

namespace logistic {
namespace {

struct Choice : mutants::Correct {
  static double map(double r, double x) { return std::fma(-(r * x), x, r * x); }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace logistic
