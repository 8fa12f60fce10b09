// Wrong: omits the comparison.
#include "tests/mutants/logistic/mutant.hpp"

namespace logistic {
namespace {

struct Choice : mutants::Correct {
  static bool differ(std::uint32_t, std::uint32_t) { return true; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace logistic
