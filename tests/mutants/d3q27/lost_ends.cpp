// Wrong: what a step sends beyond an end of a row is not brought back to the other end.
#include "tests/mutants/d3q27/mutant.hpp"

namespace d3q27 {
namespace {

struct Choice : mutants::Correct {
  static bool arrives(std::int64_t x, std::int64_t nx) { return x >= 0 && x < nx; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d3q27
