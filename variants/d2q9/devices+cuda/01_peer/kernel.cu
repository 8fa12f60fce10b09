// Idea:    peer memory: a strip of rows per GPU, all in one process; the kernel also writes border rows to the neighbours'
//          GPUs; events order the steps of neighbours, and the host only queues work
// Layout:  structure of arrays with padded rows, f[9][y][pitch] of a strip and two halo rows, two copies
// Traffic: every population is read once and written once: 9 values and a flag read, 9 values written
// Source:  NVIDIA, CUDA C++ Programming Guide, peer-to-peer memory access, multi-device system
// Bound:   memory bandwidth; on small strips the host, which queues the kernels and events of all GPUs
#include "variants/d2q9/devices+cuda/parts.hpp"
#include "variants/lattice/cuda/block_tunables.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

constexpr int most_threads = 512;  // per block: in f64 each thread needs more than 64 registers

/// Cells per thread.
template <class real>
constexpr int width = cells_of_16_bytes<real>;

/// Kernel arguments of one step.
template <class real>
struct Step {
  /// The lattice before and after the step.
  ReadOnly<real> f;
  real* g;
  /// Where the rows at the borders are also written.
  Borders<real> borders;
  /// [block]: the sum of |u| over the fluid cells of a block.
  real* speeds;
  /// The rows to advance.
  int first, rows;
  /// The row to accelerate for the next step, or -1 for none.
  int driven;
  Problem<real> c;
};

/// Returns the index of population i of cell (x, y).
template <class real>
__device__ std::size_t at(int i, int x, int y, const Problem<real>& c) {
  return (static_cast<std::size_t>(i) * c.ny + y) * c.pitch + x;
}

/// Advances `width` cells starting at (x, y) and returns the sum of |u| over the fluid ones. All threads of a warp exchange
/// cells: those that are not `inside` the strip work on its first cells and store nothing.
template <class real>
__device__ real update(const Step<real>& step, int x, int y, bool inside) {
  const auto& [f, g, borders, speeds, first, rows, driven, c] = step;
  const int south = y > 0 ? y - 1 : c.ny - 1;
  const int north = y < c.ny - 1 ? y + 1 : 0;
  const int from_y[9] = {y, y, south, y, north, south, south, north, north};
  Cells<real, width<real>> cells[9];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    cells[i] = beside(f + at(i, 0, from_y[i], c), x, c.nx, -d2q9_cx[i]);

  const auto solid = load_cells<width<real>>(c.solid + at(0, x, y, c));
  real speed = 0;
#pragma unroll
  for (int k = 0; k < width<real>; ++k) {
    real s[9];
    for (int i = 0; i < 9; ++i)
      s[i] = cells[i].v[k];
    const bool fluid = inside && !solid.v[k];
    speed += update_masked(s, fluid, y == driven, c);
    for (int i = 0; i < 9; ++i)
      cells[i].v[k] = s[i];
  }
#pragma unroll
  for (int i = 0; i < 9; ++i)
    if (inside) store_cells(g + at(i, x, y, c), cells[i]);
  if (inside) store_borders(borders, cells, x, y, c.pitch);
  return speed;
}

/// Advances the rows by one step, one thread per `width` cells.
template <class real>
__global__ void timestep(Step<real> step) {
  const int x = width<real> * (blockIdx.x * blockDim.x + threadIdx.x);
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const bool inside = x < step.c.nx && y < step.rows;
  const real speed = update(step, inside ? x : 0, inside ? step.first + y : step.first, inside);
  store_of_block(step.speeds, shuffle_sum(speed));
}

/// A strip on one GPU.
template <class real>
class Part final : public StripPart<real> {
 public:
  Part(const Case& c, const Strip& strip, const ladder::Tuning& tuning)
      : StripPart<real>(width<real>, c, strip, lattice::cuda::block_shape(tuning)) {}

 private:
  void queue(real* speeds, bool more) override {
    const Step<real> now{
        .f = this->f(),
        .g = this->g(),
        .borders = this->borders(),
        .speeds = speeds,
        .first = this->strip_.first,
        .rows = this->strip_.rows(),
        .driven = this->driven_row(more),
        .c = this->problem(),
    };
    this->over_(timestep<real>, now);
  }
};

template <class real>
class Parts final : public StripParts<Part<real>> {
 public:
  Parts(const Case& c, const ladder::Tuning& tuning) : StripParts<Part<real>>(c, tuning) {}

  void advance(std::int64_t steps) override {
    if (steps <= 0) return;
    this->for_each([&](Part<real>& part) { part.begin(steps); });
    this->for_each([](Part<real>& part) { part.fill_halos(); });
    this->meet();
    for (std::int64_t step = 1; step <= steps; ++step) {
      this->for_each([&](Part<real>& part) { part.step(step < steps); });
      this->meet();
      this->for_each([](Part<real>& part) { part.end(); });
    }
    this->average();
  }
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/mpi+cuda/02_peer",
    .traffic = d2q9::traffic,
    .tunables = {lattice::cuda::wx_tunable(128), lattice::cuda::wy_tunable(1)},
    .constraints = lattice::cuda::block_constraints(d2q9::most_threads),
    .make = ladder::make_solver<d2q9::Parts, d2q9::Model>,
};
