// Wrong: swaps the moments of xxy and xyy.
#include "tests/mutants/d2q37/mutant.hpp"

namespace d2q37 {
namespace {

struct Choice : mutants::Correct {
  static void relax(double* m, double omega, double kick, double force, double heat) {
    Correct::relax(m, omega, kick, force, heat);
    std::swap(m[7], m[8]);
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q37
