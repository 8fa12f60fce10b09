// Idea:    cut along x: columns are contiguous, and the walls, which lie along x, are in every strip
// Layout:  structure of arrays, f[37][x][pitch] of a strip and six columns of halo, columns along y; two copies of the lattice
// Traffic: every population read once and written once: 37 values read, 37 written; at each border, 26 of 111 are written twice
// Source:  Calore et al., Concurrency Computat.: Pract. Exper. 28 (2016) 3485, section 4: a ring along x with halos of three
//          columns, which need no gathering; there, a message per population
// Bound:   memory bandwidth; on thin strips, launches and the round trip of a flag to the neighbour
#include "variants/d2q37/mpi+cuda/columns.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

/// Whether population i of a cell will cross the western (0) or eastern (1) border, which is `columns` columns away.
__device__ constexpr bool crosses(int i, int side, int columns) { return (side == 0 ? -d2q37_cx[i] : d2q37_cx[i]) > columns; }

/// Updates the own columns of the strip, starting at column `first`. Populations that will cross a border are also written to
/// the neighbours.
template <class real>
__global__ void __launch_bounds__(most_threads) update_columns(ColumnStep<real> step, int first, Borders<real> borders) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), x = first + static_cast<int>(blockIdx.y);
  if (n >= step.c.ny) return;
  const ColumnSources from(x, n, step.c);
  real f[q];
  if (step.c.is_at_wall(n))
    stream_at_wall(step, from, x, n, f);
  else
    stream(step, from, f);
  const Relaxation<real>& r = step.relaxation;
  d2q37_collide(f, r.omega, r.kick, r.warm);
#pragma unroll
  for (int i = 0; i < q; ++i)
    step.g.of[i][from.own()] = f[i];
#pragma unroll
  for (int side = 0; side < 2; ++side) {
    const auto& to = borders.of[side];
    if (!to.contains(x)) continue;
    const int columns = side == 0 ? x - to.first : to.last - x;
    real* const cell = to.lattice + static_cast<std::size_t>(x + to.shift) * step.c.pitch + from.rows[D2Q37_REACH];
#pragma unroll
    for (int i = 0; i < q; ++i)
      if (crosses(i, side, columns)) cell[i * to.plane] = f[i];
  }
}

template <class real>
class Strips final : public ColumnRing<real> {
 public:
  Strips(const Case& c, const ladder::Tuning& tuning) : ColumnRing<real>(c, lattice::cuda::row_block(tuning)) {}

  void advance(std::int64_t steps) override {
    if (steps > 0) this->fill_halos();
    for (std::int64_t step = 0; step < steps; ++step) {
      over_own_(update_columns<real>, this->step(), this->strip_.first, this->borders());
      this->meet();
    }
  }

 private:
  const Launch over_own_ = this->over_own_columns();
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/mpi+cuda/04_crossing",
    .traffic = d2q37::traffic,
    .tunables = {lattice::cuda::threads_tunable(64, d2q37::most_threads)},
    .make = ladder::make_solver<d2q37::Strips, d2q37::Model>,
};
