// Wrong: VELOCITY cells move in the opposite direction.
#include "tests/mutants/d3q19/mutant.hpp"

namespace d3q19 {
namespace {

struct Choice : mutants::Correct {
  template <class real>
  static real speed(real speed) {
    return -speed;
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d3q19
