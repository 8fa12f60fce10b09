// Idea:    throws an unexpected exception
// Layout:  f[q][y][x], with a halo of one site
// Traffic: read 9 reals, write 9 reals
// Source:  none; a fault to be contained
// Bound:   none
#include <stdexcept>

#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  static bool advances() { throw std::runtime_error("the device fell off the bus"); }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
