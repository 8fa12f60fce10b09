// Wrong: populations that leave a row at one end do not wrap around to the other.
#include "tests/mutants/d3q27/mutant.hpp"

namespace d3q27 {
namespace {

struct Choice : mutants::Correct {
  static bool arrives(std::int64_t x, std::int64_t nx) { return x >= 0 && x < nx; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d3q27
