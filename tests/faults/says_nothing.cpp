// Idea:    exits with code 0 without an answer
// Layout:  f[q][y][x], with a halo of one site
// Traffic: read 9 reals, write 9 reals
// Source:  none; a fault to be contained
// Bound:   none
#include <cstdlib>

#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  static bool advances() { std::_Exit(0); }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
