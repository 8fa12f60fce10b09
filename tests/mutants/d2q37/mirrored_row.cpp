// Wrong: mirrors populations at the middle of the lowest row instead of its lower side.
#include "tests/mutants/d2q37/mutant.hpp"

namespace d2q37 {
namespace {

struct Choice : mutants::Correct {
  static int source_row(const Wall& wall, int i, int n) { return wall.source(i, n) + 1; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q37
