// Wrong: gravity changes the equilibrium's velocity, but not its temperature.
#include "tests/mutants/d2q37/mutant.hpp"

namespace d2q37 {
namespace {

struct Choice : mutants::Correct {
  static void relax(double* m, double omega, double kick, double /*force*/, double heat) { d2q37_relax(m, omega, kick, heat); }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q37
