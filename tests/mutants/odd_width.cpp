// Wrong: sweeps columns in pairs, which skips the last column if their number is odd.
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  static int columns(int nx) { return nx / 2 * 2; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
