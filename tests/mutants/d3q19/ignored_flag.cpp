// Wrong: the last of the four cells in a flag word uses the flag of the previous cell.
#include "tests/mutants/d3q19/mutant.hpp"

namespace d3q19 {
namespace {

struct Choice : mutants::Correct {
  static bool is_updated(const std::uint8_t* flags, int x) {
    return mutants::Correct::is_updated(flags, x % 4 == 3 ? x - 1 : x);
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d3q19
