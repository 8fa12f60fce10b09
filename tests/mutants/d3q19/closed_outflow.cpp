// Wrong: PRESSURE cells return populations like walls.
#include "tests/mutants/d3q19/mutant.hpp"

namespace d3q19 {
namespace {

struct Choice : mutants::Correct {
  static int kind(int kind) { return kind == D3Q19_PRESSURE ? D3Q19_WALL : kind; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d3q19
