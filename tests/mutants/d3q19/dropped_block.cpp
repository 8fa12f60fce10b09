// Wrong: drops a block of four cells if its first cell is solid, even if others are fluid.
#include "tests/mutants/d3q19/mutant.hpp"

namespace d3q19 {
namespace {

struct Choice : mutants::Correct {
  static bool is_updated(const std::uint8_t* flags, int x) {
    return mutants::Correct::is_updated(flags, x) && mutants::Correct::is_updated(flags, x - x % 4);
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d3q19
