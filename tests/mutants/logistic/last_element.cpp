// Wrong: skips the last element if the number of elements is odd.
#include "tests/mutants/logistic/mutant.hpp"

namespace logistic {
namespace {

struct Choice : mutants::Correct {
  static std::int64_t advanced(std::int64_t count) { return count / 2 * 2; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace logistic
