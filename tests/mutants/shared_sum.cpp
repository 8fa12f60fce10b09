// Wrong: two threads add to one sum without a reduction. The barrier forces the unlucky order.
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  template <class Solver>
  static auto sweep(Solver& solver) {
    solver.fill_halo();
    auto total = solver.nothing();
#pragma omp parallel num_threads(2)
    {
      auto mine = solver.nothing();
#pragma omp for
      for (int y = 0; y < solver.rows(); ++y)
        mine += solver.update_row(y);
      const auto before = total;
#pragma omp barrier
      total = before + mine;
    }
    return total;
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
