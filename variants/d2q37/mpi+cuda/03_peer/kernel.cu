// Idea:    peer memory: the kernel also writes border rows to the neighbours' GPUs, which synchronize without the CPU
// Layout:  structure of arrays with padded rows, f[37][y][pitch] of a strip and six rows of halo, two copies of the lattice
// Traffic: every population read once and written once: 37 values read, 37 written; six rows are written twice
// Source:  NVIDIA, CUDA C++ Programming Guide, peer-to-peer memory access and interprocess communication
// Bound:   memory bandwidth; on thin strips, launches and the round trip of a flag to the neighbour
#include "variants/d2q37/mpi+cuda/strips.hpp"

namespace d2q37 {
namespace {

using lattice::cuda::Borders;

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

constexpr int most_threads = 256;  // per block: each needs more than 128 registers

/// Updates own rows of the strip: those at the walls, and those between them. Rows at the borders are also written to the
/// neighbours.
template <class real>
__global__ void __launch_bounds__(most_threads) update_rows(Step<real> step, Strip::Rows rows, Borders<real> borders) {
  const int x = own_column(), place = rows.first + own_row();
  if (x >= step.c.nx || place > rows.last) return;
  const int y = wrapped(place - step.c.bottom, step.c.ny);
  const Sources from(x, y, step.c);
  real f[q];
  if (step.c.walls && (y < Case::wall_rows || y >= step.c.ny - Case::wall_rows))
    stream_at_wall(step, from, x, y, f);
  else
    stream(step, from, f);
  const Relaxation<real>& r = step.c.relaxation;
  d2q37_collide(f, r.omega, r.kick, r.warm);
#pragma unroll
  for (int i = 0; i < q; ++i)
    step.g.of[i][from.own()] = f[i];
#pragma unroll
  for (int side = 0; side < 2; ++side) {
    const auto& to = borders.of[side];
    if (!to.contains(place)) continue;
    real* const cell = to.lattice + static_cast<std::size_t>(place + to.shift) * step.c.pitch + x;
#pragma unroll
    for (int i = 0; i < q; ++i)
      cell[i * to.plane] = f[i];
  }
}

template <class real>
class Strips final : public lattice::cuda::RingState<DeviceStrip<real>, real> {
  using Base = lattice::cuda::RingState<DeviceStrip<real>, real>;

 public:
  Strips(const Case& c, const ladder::Tuning& tuning)
      : Base(c, strip_on_device(c, Lattice::reach), Lattice::reach, lattice::cuda::block_shape(tuning)) {}

  void advance(std::int64_t steps) override {
    if (steps > 0) this->fill_halos();
    for (std::int64_t step = 0; step < steps; ++step) {
      const Strip::Rows rows{this->strip_.first, this->strip_.last};
      this->over_strip(this->device_, rows)(update_rows<real>, this->step(), rows, this->borders());
      this->meet();
    }
  }
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/mpi+cuda/02_overlap",
    .traffic = d2q37::traffic,
    .tunables = d2q37::block_tunables(64, 1),
    .constraints = lattice::cuda::block_constraints(d2q37::most_threads),
    .make = ladder::make_solver<d2q37::Strips, d2q37::Model>,
};
