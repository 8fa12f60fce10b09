// Wrong: a step does not wait for the row to the north.
#include "tests/mutants/d2q9r/pass.hpp"

namespace d2q9r {
namespace {

struct Choice : mutants::Correct {
  static int lag(int step) { return step - 1; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9r
