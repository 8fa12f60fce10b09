// Idea:    regularized collision on populations; a thread updates the 4 (f64: 2) cells of one 16-byte access
// Layout:  structure of arrays with padded rows, f[9][y][pitch], two copies of the lattice; distances from rest
// Traffic: every population is read once and written once
// Source:  Latt and Chopard, Math. Comput. Simul. 72 (2006) 165
// Bound:   memory bandwidth; launches on small grids
#include "backends/cuda/cells.hpp"
#include "variants/d2q9r/cuda/solver.hpp"
#include "variants/lattice/cuda/block_tunables.hpp"

namespace d2q9r {
namespace {

ladder::Traffic traffic(double real) { return {q * real, q * real}; }

constexpr int most_threads = 512;  // per block: in f64 each thread needs more than 64 registers

/// Cells per thread.
template <class real>
constexpr int width = cells_of_16_bytes<real>;

/// Kernel arguments of one step.
template <class real>
struct Step {
  ReadOnly<real> from;  ///< [9][ny][pitch]
  real* to;             ///< the same
  int nx, ny, pitch;
  Relaxation<real> relaxation;

  /// Index of population i of cell (x, y).
  [[nodiscard]] __device__ std::size_t at(int i, int x, int y) const {
    return (static_cast<std::size_t>(i) * ny + y) * pitch + x;
  }
};

/// Advances the lattice by one step, one thread per `width` cells. All threads of a warp exchange cells; those without
/// cells work on the first ones and store nothing.
template <class real>
__global__ void timestep(Step<real> step) {
  const int thread_x = width<real> * (blockIdx.x * blockDim.x + threadIdx.x);
  const int thread_y = blockIdx.y * blockDim.y + threadIdx.y;
  const bool inside = thread_x < step.nx && thread_y < step.ny;
  const int x = inside ? thread_x : 0, y = inside ? thread_y : 0;
  Cells<real, width<real>> cells[q];
#pragma unroll
  for (int i = 0; i < q; ++i)
    cells[i] = beside(step.from + step.at(i, 0, wrapped(y - d2q9_cy[i], step.ny)), x, step.nx, -d2q9_cx[i]);
#pragma unroll
  for (int v = 0; v < width<real>; ++v) {
    real f[q];
    for (int i = 0; i < q; ++i)
      f[i] = cells[i].v[v];
    collide_populations(f, step.relaxation);
    for (int i = 0; i < q; ++i)
      cells[i].v[v] = f[i];
  }
#pragma unroll
  for (int i = 0; i < q; ++i)
    if (inside) store_cells(step.to + step.at(i, x, y), cells[i]);
}

template <class real>
class PeriodicBox final : public PopulationLattices<real> {
 public:
  PeriodicBox(const Case& c, const ladder::Tuning& tuning)
      : PopulationLattices<real>(c, lattice::cuda::block_shape(tuning)),
        over_(over(this->device_, covering({static_cast<std::size_t>(c.nx), static_cast<std::size_t>(c.ny)}, {width<real>, 1}),
                   this->block_)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t n = 0; n < steps; ++n) {
      const Step<real> step{.from = this->f(),
                            .to = this->g(),
                            .nx = this->case_.nx,
                            .ny = this->case_.ny,
                            .pitch = static_cast<int>(this->strides_.y),
                            .relaxation = Relaxation<real>(this->case_.omega())};
      over_(timestep<real>, step);
      this->swap_lattices();
    }
  }

 private:
  const Launch over_;
};

}  // namespace
}  // namespace d2q9r

const d2q9r::Rung d2q9r::rung = {
    .follows = "",
    .traffic = d2q9r::traffic,
    .tunables = {lattice::cuda::wx_tunable(128), lattice::cuda::wy_tunable(1)},
    .constraints = lattice::cuda::block_constraints(d2q9r::most_threads),
    .make = ladder::make_solver<d2q9r::PeriodicBox, d2q9r::Model>,
};
