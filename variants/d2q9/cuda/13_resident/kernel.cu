// Idea:    each multiprocessor keeps a strip of rows over all steps; through global memory goes what crosses its edges
// Layout:  in place (AA pattern), f[9][rows][x] in shared memory; halos[2][strip][2][3][x] and f[9][y][x] in global memory
// Traffic: of shared memory: 9 numbers read, 9 written; of global memory: 6 numbers a cell of a strip's edge rows, each way
// Source:  W. Zhou et al., "PERKS: a Locality-Optimized Execution Model for Iterative Memory-bound GPU Applications", ICS 2023
// Bound:   shared memory; on small grids the barrier of all blocks
#include <cooperative_groups.h>

#include <string>

#include "variants/d2q9/cuda/strip.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real, 9 * real}; }

/// What `steps` steps work on: the lattice `f`, in strips of `rows` rows, of which the last may have fewer; speeds[step][strip]
/// becomes the sum of |u| over the fluid cells of a strip. The row `driven` (-1: none) is accelerated for the next step, if
/// there is one: in this launch, or `more` to come.
template <class real>
struct Steps {
  real* f;
  Exchange<real> exchange;
  real* speeds;
  int steps;
  int driven;
  bool more;
  int rows;
  Problem<real> c;
};

/// Advances the lattice by `steps` steps, one strip per block.
template <class real>
__global__ void __launch_bounds__(most_threads<real>, 1) timesteps(Steps<real> all) {
  extern __shared__ double room[];
  __shared__ real sums[32];
  const auto [f, exchange, speeds, steps, row, more, rows, c] = all;
  const int first = blockIdx.x * rows;
  const Strip<SharedRows<real>> strip{{reinterpret_cast<real*>(room), c.nx, min(rows, c.ny - first)}};
  const unsigned solid = load(strip, exchange.of(1, c.nx), f, first, c);
  cooperative_groups::this_grid().sync();

  for (int step = 0; step < steps; ++step) {
    const Halos<real> halos = exchange.of(step, c.nx);
    halos.receive(strip);
    __syncthreads();
    const int driven = step + 1 < steps || more ? row - first : -1;
    put_warp_sum(sums,
                 step % 2 == 0 ? sweep<false>(strip, halos, solid, driven, c) : sweep<true>(strip, halos, solid, driven, c));
    __syncthreads();
    add_warp_sums(sums, speeds + static_cast<std::size_t>(step) * gridDim.x + blockIdx.x);
    cooperative_groups::this_grid().sync();
  }
  store(strip, strip.rows, steps, f, first, c);
}

template <class real>
class Resident final : public StripSolver<real> {
 public:
  Resident(const Case& c, const ladder::Tuning& tuning) : StripSolver<real>(c, tuning) {
    const std::string too_large = "grid too large for this rung: " + std::to_string(c.ny) + " rows in " +
                                  std::to_string(this->strips()) + " strips of " + std::to_string(this->cells()) +
                                  " cells: " + this->device().name() + " accepts up to ";
    const std::size_t most = (this->device().shared_memory() - this->for_sums) / (9 * sizeof(real));
    if (this->cells() > most) throw ladder::InputError(too_large + std::to_string(most) + " cells a strip");
    const std::size_t resident = this->resident_strips(timesteps<real>, shared());
    if (this->strips() > resident) throw ladder::InputError(too_large + std::to_string(resident) + " such strips");
  }

 private:
  void queue(int steps, bool more) override {
    const Steps<real> now{
        .f = this->f(),
        .exchange = {halos_.data()},
        .speeds = this->speeds_.next(),
        .steps = steps,
        .driven = this->driven_row(),
        .more = more,
        .rows = static_cast<int>(this->rows()),
        .c = this->problem(),
    };
    this->over_strips(shared()).together(timesteps<real>, now);
  }

  [[nodiscard]] std::size_t shared() const { return this->cells() * 9 * sizeof(real); }

  ladder::cuda::Buffer<real> halos_{this->device(), 2 * this->strips() * 2 * 3 * this->grid().x};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/12_persistent",
    .traffic = d2q9::traffic,
    .lattices = 1,
    .tunables = {d2q9::rows_tunable()},
    .make = ladder::make_solver<d2q9::Resident, d2q9::Model>,
};
