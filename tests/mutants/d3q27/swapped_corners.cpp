// Wrong: swaps two corners of the cube.
#include "tests/mutants/d3q27/mutant.hpp"

namespace d3q27 {
namespace {

struct Choice : mutants::Correct {
  static int direction(int i) { return i == 21 ? 23 : i == 23 ? 21 : i; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d3q27
