// Wrong: the columns next to a tile, which the next step reads, are not computed.
#include "tests/mutants/d2q9r/pass.hpp"

namespace d2q9r {
namespace {

struct Choice : mutants::Correct {
  static int beside(int) { return 0; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9r
