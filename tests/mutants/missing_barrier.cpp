// Wrong: the second thread does not wait until the first has filled the halo. The flag forces the unlucky order.
#include <omp.h>

#include <atomic>

#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  template <class Solver>
  static auto sweep(Solver& solver) {
    auto total = solver.nothing();
    const int middle = solver.rows() / 2;
    std::atomic<bool> north_is_done = false;
#pragma omp parallel num_threads(2) reduction(+ : total)
    if (omp_get_thread_num() == 1) {
      for (int y = middle; y < solver.rows(); ++y)
        total += solver.update_row(y);
      north_is_done.store(true, std::memory_order_relaxed);
    } else {
      while (omp_get_num_threads() == 2 && !north_is_done.load(std::memory_order_relaxed)) {
      }
      solver.fill_halo();
      for (int y = 0; y < middle; ++y)
        total += solver.update_row(y);
    }
    return total;
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
