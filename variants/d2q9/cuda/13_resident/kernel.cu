// Idea:    each multiprocessor keeps a strip of rows over all steps; populations cross its edges through global memory
// Layout:  in place (AA pattern), f[9][rows][x] in shared memory; halos[2][strip][2][3][x] and f[9][y][x] in global memory
// Traffic: 9 numbers read, 9 written in shared memory; 6 numbers of each column of a strip, each way, in the L2 cache
// Source:  L. Zhang et al., "PERKS: a Locality-Optimized Execution Model for Iterative Memory-bound GPU Applications", ICS 2023
// Bound:   shared memory; on small grids the barrier of all blocks
#include <cooperative_groups.h>

#include <string>

#include "variants/d2q9/cuda/strip_update.hpp"

namespace d2q9 {
namespace {

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  return {{9 * real, 9 * real, "shared"}, halo_traffic(real, grid_of(c), strips_of(grid_of(c), tuning))};
}

/// Arguments of the kernel.
template <class real>
struct Steps {
  real* f;
  Exchange<real> exchange;
  /// [step][strip]: the sum of |u| over the fluid cells of a strip.
  real* speeds;
  /// The row to accelerate for the next step, if there is one: one of these `steps` steps, or a later one (`more`); -1: none.
  int driven;
  int steps;
  bool more;
  /// Rows of a strip; the last may have fewer.
  int rows;
  Problem<real> c;
};

/// Advances the lattice by `steps` steps, one strip per block.
template <class real>
__global__ void __launch_bounds__(most_threads<real>, 1) timesteps(Steps<real> all) {
  extern __shared__ double room[];
  __shared__ real sums[32];
  const auto [f, exchange, speeds, row, steps, more, rows, c] = all;
  const int first = blockIdx.x * rows;
  const Strip<SharedRows<real>> strip{{reinterpret_cast<real*>(room), c.nx, min(rows, c.ny - first)}};
  const unsigned solid = load(strip, exchange.of(1, c.nx), f, c.solid, first, c.ny);
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
  store(strip, strip.rows, steps, f, first, c.ny);
}

template <class real>
class Resident final : public CudaSolver<real, PullInPlace> {
 public:
  Resident(const Case& c, const ladder::Tuning& tuning)
      : CudaSolver<real, PullInPlace>(c, {128, 1}, structure_of_arrays(c)),
        strips_(Strips::tuned(this->grid_, tuning, this->device_)) {
    this->device_.require_cooperative_launch();
    const std::string too_large = "grid too large for this rung: " + std::to_string(c.ny) + " rows in " +
                                  std::to_string(strips_.count) + " strips of " + std::to_string(strips_.cells()) +
                                  " cells: " + this->device_.name() + " accepts up to ";
    const std::size_t most = (this->device_.shared_memory() - beside_a_strip) / (9 * sizeof(real));
    if (strips_.cells() > most)
      throw ladder::Refused(ladder::Reason::device_limit, too_large + std::to_string(most) + " cells per strip");
    const std::size_t resident = resident_blocks(all_, timesteps<real>);
    if (strips_.count > resident)
      throw ladder::Refused(ladder::Reason::device_limit, too_large + std::to_string(resident) + " such strips");
  }

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) this->accelerate();
    speeds_.in_parts(steps, [this](int count, bool more) {
      const Steps<real> now{
          .f = this->f(),
          .exchange = {halos_.data()},
          .speeds = speeds_.next(),
          .driven = this->driven_row(),
          .steps = count,
          .more = more,
          .rows = static_cast<int>(strips_.rows),
          .c = this->problem(),
      };
      all_.together(timesteps<real>, now);
    });
  }

  std::span<const double> history() override { return speeds_.history(); }

 private:
  const Strips strips_;
  const Launch all_ = strips_.template launch<real>(this->device_, strips_.cells() * 9 * sizeof(real));
  Buffer<real> halos_{this->device_, strips_.halos()};
  DeferredSums<real> speeds_{this->device_, all_.blocks, this->fluid_cells_};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/12_persistent",
    .traffic = d2q9::traffic,
    .lattices = 1,
    .tunables = {lattice::cuda::rows_tunable()},
    .make = ladder::make_solver<d2q9::Resident, d2q9::Model>,
};
