// Wrong: a wall returns populations in the direction in which they left.
#include "tests/mutants/d3q19/mutant.hpp"

namespace d3q19 {
namespace {

struct Choice : mutants::Correct {
  static int slot(int i) { return i; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d3q19
