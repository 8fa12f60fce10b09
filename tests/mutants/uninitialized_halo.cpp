// Wrong: never fills the column west of the first one.
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  static bool fills_column(int x) { return x != -1; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
