// Wrong: also updates walls, which overwrites the populations that they return.
#include "tests/mutants/d3q19/mutant.hpp"

namespace d3q19 {
namespace {

struct Choice : mutants::Correct {
  static bool is_updated(const std::uint8_t* flags, int x) { return (flags[x] & (D3Q19_FLUID | D3Q19_WALL)) != 0; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d3q19
