// Idea:    writes to unmapped memory, but only in runs longer than any check
// Layout:  f[q][y][x], with a halo of one site
// Traffic: read 9 reals, write 9 reals
// Source:  none; a fault to be contained
// Bound:   none
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  static bool swaps(std::int64_t step) {
    volatile int* volatile nowhere = nullptr;
    if (step > 200) *nowhere = 1;
    return true;
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
