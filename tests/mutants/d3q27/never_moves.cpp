// Wrong: executes no steps.
#include "tests/mutants/d3q27/mutant.hpp"

namespace d3q27 {
namespace {

struct Choice : mutants::Correct {
  static bool advances() { return false; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d3q27
