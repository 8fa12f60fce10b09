// Wrong: a step that moves nothing reverses the axis directions, but not the diagonals.
#include "tests/mutants/d3q27/mutant.hpp"

namespace d3q27 {
namespace {

struct Choice : mutants::Correct {
  static int turned(int i) { return i < 7 ? Correct::turned(i) : i; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d3q27
