// Wrong: after an even step, the next step reads the lattice of the previous step.
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  static bool swaps(std::int64_t step) { return step % 2 == 1; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
