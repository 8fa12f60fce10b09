// Idea:    overlap: inner rows are updated while border rows are exchanged; the latter are updated on a separate queue
// Layout:  structure of arrays with padded rows, f[37][y][pitch] of a strip and six rows of halo, two copies of the lattice
// Traffic: every population read once and written once: 37 values read, 37 written
// Source:  Calore et al., Concurrency Computat.: Pract. Exper. 28 (2016) 3485, section 4, Figures 3 and 5; here with strips of
//          rows
// Bound:   max(inner rows, exchange + rows at the borders)
#include "backends/cuda/event.hpp"
#include "variants/d2q37/mpi+cuda/strips.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

constexpr int most_threads = 256;  // per block: each needs more than 128 registers

/// Updates own rows of the strip: those at the walls, and those between them.
template <class real>
__global__ void __launch_bounds__(most_threads) update_rows(Step<real> step, Strip::Rows rows) {
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
}

template <class real>
class Strips final : public HostExchange<real> {
  using Base = HostExchange<real>;
  using Base::device_;

 public:
  Strips(const Case& c, const ladder::Tuning& tuning) : Base(c, tuning, update_rows<real>) {}

  void advance(std::int64_t steps) override {
    inside_.record(device_);  // work queued before the first step
    inside_.precede(at_borders_);
    for (std::int64_t step = 0; step < steps; ++step) {
      // Rows at the borders read inner rows of the previous step, whose completion the last event marks.
      this->update_bulk(device_);
      this->exchange(at_borders_);
      inside_.precede(at_borders_);
      this->update_borders(at_borders_);
      inside_.record(device_);
      outside_.record(at_borders_);
      outside_.precede(device_);
      this->swap_lattices();
    }
  }

 private:
  const Device at_borders_ = Device::select();  ///< the same GPU, with a separate queue
  ladder::cuda::Event inside_, outside_;
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/mpi+cuda/01_host",
    .traffic = d2q37::traffic,
    .tunables = d2q37::block_tunables(64, 1),
    .constraints = lattice::cuda::block_constraints(d2q37::most_threads),
    .make = ladder::make_solver<d2q37::Strips, d2q37::Model>,
};
