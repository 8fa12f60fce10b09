// Wrong: swaps the populations that arrive from north-east and north-west.
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  static int arriving(int i) { return i == 5 ? 6 : i == 6 ? 5 : i; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
