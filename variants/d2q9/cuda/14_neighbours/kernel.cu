// Idea:    no grid-wide barrier: a strip waits only for its two neighbours, each of which records its steps in a flag
// Layout:  in place (AA pattern), f[9][rows][x] in shared memory; halos[2][strip][2][3][x] and f[9][y][x] in global memory
// Traffic: 9 values read, 9 written in shared memory; 6 values per column of a strip, each way, in the L2 cache
// Source:  NVIDIA, PTX ISA, "Memory Consistency Model", release and acquire patterns
// Bound:   shared memory; on small grids the delay until neighbours see each other's halos
#include "backends/cuda/block_flags.hpp"
#include "variants/d2q9/cuda/strips.hpp"

namespace d2q9 {
namespace {

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  return {{9 * real, 9 * real, "shared"}, halo_traffic(real, grid_of(c), strips_of(grid_of(c), tuning))};
}

/// Advances a cell of a strip by one step and returns its |u|, or 0 if it is solid. A `driven` cell is accelerated for the next
/// step.
template <bool local, Rows where, class Strip, class Halos, class real>
__device__ real update(const Strip& strip, const Halos& halos, Cell cell, bool fluid, bool driven, const Problem<real>& c) {
  real s[9];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = strip.template place<local, where>(i, cell);

  const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
  const real u2 = d2q9_collide(s, c.omega);
  const bool drive = driven && fluid && d2q9_can_drive(s, c.w1, c.w2);
  const real along[9] = {0, c.w1, 0, -c.w1, 0, c.w2, -c.w2, -c.w2, c.w2};
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = fluid ? s[i] + (drive ? along[i] : 0) : rebounded[i];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    strip.template place<local, where>(d2q9_opposite[i], cell) = s[i];
  if (where == Rows::any) halos.send(s, strip, cell);
  return fluid ? sqrt(u2) : real{0};
}

/// Advances a strip by one step. Bit k of `solid` marks this thread's k-th cell as an obstacle; `driven` is the row to
/// accelerate. Returns the sum of |u| over this thread's cells.
template <bool local, class Strip, class Halos, class real>
__device__ real sweep(const Strip& strip, const Halos& halos, unsigned solid, int driven, const Problem<real>& c) {
  real speed = 0;
  for_own_cells(strip.nx, strip.rows, [&](int k, Cell cell) {
    const bool fluid = (solid >> k & 1) == 0;
    const bool edge = cell.y == 0 || cell.y == strip.rows - 1;
    speed += edge ? update<local, Rows::any>(strip, halos, cell, fluid, cell.y == driven, c)
                  : update<local, Rows::shared>(strip, halos, cell, fluid, cell.y == driven, c);
  });
  return speed;
}

/// Advances the lattice by `steps` steps, one strip per block; speeds[step][strip] = the sum of |u| over the fluid cells of a
/// strip. The row `driven` (-1 for none) is accelerated for the next step, after the last one if `more` is set.
///
/// A block alternates between two halos for the populations that leave its strip, and records each write in its flag. It starts
/// a step when both neighbours have recorded at least as many. A halo has thus been read before it is overwritten: a neighbour
/// records step t after it has read the halos of step t - 1.
template <class real>
__global__ void __launch_bounds__(most_threads<real>, 1)
    timesteps(real* f, Exchange<real> exchange, BlockFlags flags, real* speeds, int driven, int steps, bool more, int rows,
              Problem<real> c) {
  extern __shared__ double room[];
  __shared__ real sums[32];
  const int first = blockIdx.x * rows;
  const Strip<SharedRows<real>> strip{{reinterpret_cast<real*>(room), c.nx, min(rows, c.ny - first)}};
  const unsigned solid = load(strip, exchange.of(1, c.nx), f, c.solid, first, c.ny);
  __syncthreads();
  flags.tell(1);

  for (int step = 0; step < steps; ++step) {
    flags.wait(step + 1, exchange.south(), exchange.north());
    const auto halos = exchange.of(step, c.nx);
    halos.receive(strip);
    __syncthreads();
    const int drive = step + 1 < steps || more ? driven - first : -1;
    const real speed = step % 2 == 0 ? sweep<false>(strip, halos, solid, drive, c) : sweep<true>(strip, halos, solid, drive, c);
    put_warp_sum(sums, speed);
    __syncthreads();
    flags.tell(step + 2);
    add_warp_sums(sums, speeds + static_cast<std::size_t>(step) * gridDim.x + blockIdx.x);
  }
  store(strip, strip.rows, steps, f, first, c.ny);
}

template <class real>
class Resident final : public StripSolver<real> {
 public:
  Resident(const Case& c, const ladder::Tuning& tuning)
      : StripSolver<real>(c, tuning, [&](const Strips& strips, const Device& device) {
          return strips.resident<real>(device, timesteps<real>, c.ny);
        }) {}

 private:
  void queue(real* speeds, int steps, bool more) override {
    flags_.zero();
    this->all_.together(timesteps<real>, this->f(), this->exchange(), {flags_.data()}, speeds, this->driven_row(), steps, more,
                        this->rows(), this->problem());
  }

  Buffer<unsigned> flags_{this->device_, BlockFlags::apart* this->strips_.count};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/13_resident",
    .traffic = d2q9::traffic,
    .lattices = 1,
    .tunables = {d2q9::rows_tunable()},
    .make = ladder::make_solver<d2q9::Resident, d2q9::Model>,
};
