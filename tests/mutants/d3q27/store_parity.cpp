// Wrong: always reads results as after an even number of steps.
#include "tests/mutants/d3q27/mutant.hpp"

namespace d3q27 {
namespace {

struct Choice : mutants::Correct {
  static bool moved(bool) { return false; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d3q27
