// Idea:    a strip per GPU: one process each; rows at its borders go through host memory after each step
// Layout:  structure of arrays with padded rows, f[9][y][pitch] of a strip and two halo rows, two copies
// Traffic: every population is read once and written once: 9 values and a flag read, 9 values written
// Source:  Waugh, section XII
// Bound:   memory bandwidth; on small strips copies over the bus and messages, which no computation hides
#include "backends/cuda/page_locked.hpp"
#include "variants/d2q9/exchange.hpp"
#include "variants/d2q9/mpi+cuda/ring.hpp"
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
  const auto& [f, g, speeds, first, rows, driven, c] = step;
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

template <class real>
class Strips final : public StripSteps<real, DeviceStrip<real>> {
 public:
  Strips(const Case& c, const ladder::Tuning& tuning)
      : StripSteps<real, DeviceStrip<real>>(width<real>, c, strip_on_device(c, 1), lattice::cuda::block_shape(tuning)) {}

 private:
  /// Three directions of a row.
  using Rows = ladder::cuda::PageLocked<real>;

  /// Sends the rows at both borders to the neighbours, and receives theirs as halos.
  void exchange() {
    this->copy_row(leaving_north, to_north_.data(), this->strip_.last, cudaMemcpyDeviceToHost);
    this->copy_row(leaving_south, to_south_.data(), this->strip_.first, cudaMemcpyDeviceToHost);
    this->device_.wait();
    exchange_rows(to_north_.data(), this->strip_.north, from_south_.data(), this->strip_.south, row_);
    exchange_rows(to_south_.data(), this->strip_.south, from_north_.data(), this->strip_.north, row_);
    this->copy_row(leaving_north, from_south_.data(), this->strip_.first - 1, cudaMemcpyHostToDevice);
    this->copy_row(leaving_south, from_north_.data(), this->strip_.last + 1, cudaMemcpyHostToDevice);
  }

  void queue(real* speeds, bool more) override {
    if (this->strip_.has_halo()) exchange();
    const Step<real> now{
        .f = this->f(),
        .g = this->g(),
        .speeds = speeds,
        .first = this->strip_.first,
        .rows = this->strip_.rows(),
        .driven = this->driven_row(more),
        .c = this->problem(),
    };
    this->over_(timestep<real>, now);
    this->swap_lattices();
  }

  const std::size_t row_ = 3 * static_cast<std::size_t>(this->case_.nx);
  Rows to_north_{row_}, to_south_{row_}, from_north_{row_}, from_south_{row_};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/10_vectors",
    .traffic = d2q9::traffic,
    .tunables = {lattice::cuda::wx_tunable(128), lattice::cuda::wy_tunable(1)},
    .constraints = lattice::cuda::block_constraints(d2q9::most_threads),
    .make = ladder::make_solver<d2q9::Strips, d2q9::Model>,
};
