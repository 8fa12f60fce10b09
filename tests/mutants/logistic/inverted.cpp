// Wrong: swaps the branches.
#include "tests/mutants/logistic/mutant.hpp"

namespace logistic {
namespace {

struct Choice : mutants::Correct {
  static bool differ(std::uint32_t a, std::uint32_t b) { return a == b; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace logistic
