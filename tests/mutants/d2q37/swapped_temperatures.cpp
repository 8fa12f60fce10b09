// Wrong: gives each wall the temperature of the other.
#include "tests/mutants/d2q37/mutant.hpp"

namespace d2q37 {
namespace {

struct Choice : mutants::Correct {
  static int temperature_of(const Wall& wall) { return wall.is_top ? 0 : 1; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q37
