#pragma once

#include <type_traits>
#include <vector>

#include "variants/d2q37/openacc/sources.hpp"
#include "variants/d2q37/textbook.hpp"
#include "variants/lattice/openacc/solver.hpp"

/// Shared by the rungs whose loops read their arguments from a variable on the GPU. For each launch of a loop with clauses that
/// pass arguments, GCC 12's runtime library allocates and fills device memory, and it frees the memory of earlier launches,
/// which waits until the GPU is idle. A loop without such clauses is only launched.
namespace d2q37 {

/// Arguments of the loops.
struct Arguments {
  const double* from;
  double* to;
  Columns<0> c;
  Relaxation<double> r;
};

/// Arguments that may not have been set yet.
union LateArguments {
  char none;
  Arguments value;

  constexpr LateArguments() : none(0) {}
};

/// The arguments in even and odd steps, on both the host and the GPU.
static LateArguments resident[2];
#pragma acc declare create(resident)

/// The arguments in this phase, for use in a loop. A loop that names the variable itself would copy it.
template <int phase>
[[gnu::always_inline]] inline const Arguments& arguments() {
  return resident[phase].value;
}

/// Base of the solvers: writes the arguments and launches the loops. A rung supplies the loops for even and odd steps.
template <class real>
class ResidentSolver : public lattice::openacc::Solver<Model, real> {
  static_assert(std::is_same_v<real, double>);

 public:
  void advance(std::int64_t steps) override {
    write_arguments();
    for (std::int64_t step = 0; step < steps; ++step) {
      const Loops& loops = loops_[step % 2];
      if (columns_.walls) loops.walls(columns_, workers_);
      loops.rows(columns_, workers_);
      this->swap_lattices();
    }
  }

 protected:
  /// A loop over the rows at the walls and one over the rows between them, with this number of workers per gang.
  struct Loops {
    void (*walls)(const Columns<0>& columns, int workers);
    void (*rows)(const Columns<0>& columns, int workers);
  };

  ResidentSolver(const Case& c, const ladder::Tuning& tuning, const Loops& even, const Loops& odd)
      : ResidentSolver(without_reaction(c), Columns<0>(c, 128 / sizeof(real)), tuning.at("workers"), even, odd) {}

 private:
  ResidentSolver(const Case& c, const Columns<0>& columns, int workers, const Loops& even, const Loops& odd)
      : lattice::openacc::Solver<Model, real>(c, columns.strides()), columns_(columns), workers_(workers), loops_{even, odd} {}

  /// Called before the steps: another solver may have set its arguments since, or the lattices may have been swapped.
  void write_arguments() {
    const auto relaxation = this->case_.template relaxation<real>();
    resident[0].value = {this->f(), this->g(), columns_, relaxation};
    resident[1].value = {this->g(), this->f(), columns_, relaxation};
// GCC 12 ignores an update of the whole variable.
#pragma acc update device(resident [0:2]) async(1)
  }

  const Columns<0> columns_;
  const int workers_;
  const Loops loops_[2];
};

/// Tunable for the size of a gang. The vector length cannot be a tunable: GCC requires a constant.
inline std::vector<ladder::Tunable> worker_tunables() {
  return {{.name = "workers", .meaning = "workers of 32 threads per gang", .values = {1, 2, 4, 8}, .initial = 4}};
}

}  // namespace d2q37
