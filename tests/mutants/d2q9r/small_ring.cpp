// Wrong: the rows of one step too few are kept, so rows that are still needed are overwritten.
#include "tests/mutants/d2q9r/pass.hpp"

namespace d2q9r {
namespace {

struct Choice : mutants::Correct {
  static int kept(int steps) { return steps - 1; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9r
