// Wrong: populations leave a solid site in their original direction.
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  static int reflected(int i) { return i; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
