// Wrong: columns are swept in pairs, so that the last of an odd number is left out.
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  static int columns(int nx) { return nx / 2 * 2; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
