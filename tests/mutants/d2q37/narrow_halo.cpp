// Wrong: extends the lattice by only two cells beyond its ends; the third is a copy of the second.
#include "tests/mutants/d2q37/mutant.hpp"

namespace d2q37 {
namespace {

struct Choice : mutants::Correct {
  static int wrapped(int place, int size) {
    return Correct::wrapped(place < -2 ? -2 : place > size + 1 ? size + 1 : place, size);
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q37
