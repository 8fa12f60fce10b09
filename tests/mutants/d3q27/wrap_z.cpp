// Wrong: the box does not wrap around after its last plane.
#include "tests/mutants/d3q27/mutant.hpp"

namespace d3q27 {
namespace {

struct Choice : mutants::Correct {
  static std::int64_t wrapped(std::int64_t place, std::int64_t size, int axis) {
    return axis == 2 && place == size ? size - 1 : Correct::wrapped(place, size, axis);
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d3q27
