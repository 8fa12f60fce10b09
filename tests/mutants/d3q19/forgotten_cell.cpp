// Wrong: the last near-boundary cell of a row does not get its populations back.
#include "tests/mutants/d3q19/mutant.hpp"

namespace d3q19 {
namespace {

struct Choice : mutants::Correct {
  static std::size_t served(std::size_t near_cells) { return near_cells == 0 ? 0 : near_cells - 1; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d3q19
