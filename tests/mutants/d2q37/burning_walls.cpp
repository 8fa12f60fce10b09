// Wrong: the reaction heats rows whose temperature is set by a wall.
#include "tests/mutants/d2q37/mutant.hpp"

namespace d2q37 {
namespace {

struct Choice : mutants::Correct {
  static bool burns_walls() { return true; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q37
