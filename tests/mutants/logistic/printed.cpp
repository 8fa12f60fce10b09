// Wrong: uses the expression as printed, r x (x - 1).
#include "tests/mutants/logistic/mutant.hpp"

namespace logistic {
namespace {

struct Choice : mutants::Correct {
  static double map(double r, double x) { return printed_map(r, x); }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace logistic
