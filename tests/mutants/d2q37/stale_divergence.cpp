// Wrong: computes the divergence from the velocities before streaming.
#include "tests/mutants/d2q37/mutant.hpp"

namespace d2q37 {
namespace {

struct Choice : mutants::Correct {
  static bool has_streamed() { return false; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q37
