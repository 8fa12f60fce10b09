// Wrong: two threads update the middle row, and both count it.
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  template <class Solver>
  static auto sweep(Solver& solver) {
    solver.fill_halo();
    auto total = solver.nothing();
    const int middle = solver.rows() / 2;
#pragma omp parallel for num_threads(2) reduction(+ : total)
    for (int half = 0; half < 2; ++half)
      for (int y = half * middle; y <= (half == 0 ? middle : solver.rows() - 1); ++y)
        total += solver.update_row(y);
    return total;
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
