// Nothing is wrong: two threads split the rows and reduce their sums.
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  template <class Solver>
  static auto sweep(Solver& solver) {
    solver.fill_halo();
    auto total = solver.nothing();
#pragma omp parallel for num_threads(2) reduction(+ : total)
    for (int y = 0; y < solver.rows(); ++y)
      total += solver.update_row(y);
    return total;
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
