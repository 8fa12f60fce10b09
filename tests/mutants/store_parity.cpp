// Wrong: after an odd number of steps, results come from the other lattice.
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  static bool stores_last(std::int64_t steps) { return steps % 2 == 0; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
