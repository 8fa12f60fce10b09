// Wrong: executes no steps.
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  static bool advances() { return false; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
