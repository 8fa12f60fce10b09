// Wrong: relaxes with another rate in the seventh step.
#include "tests/mutants/d3q27/mutant.hpp"

namespace d3q27 {
namespace {

struct Choice : mutants::Correct {
  template <class real>
  static void collide(real* f, real omega, std::int64_t step) {
    Correct::collide(f, step == 7 ? omega / 2 : omega, step);
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d3q27
