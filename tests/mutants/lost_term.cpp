// Wrong: omits the last fluid site of the last row that has one from the mean.
#include <algorithm>

#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  static bool counts(const mutants::Place& place) {
    const auto last = std::find(place.c.solid.rbegin(), place.c.solid.rend(), 0);
    return place.c.solid.rend() - last - 1 != std::int64_t{place.y} * place.c.nx + place.x;
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
