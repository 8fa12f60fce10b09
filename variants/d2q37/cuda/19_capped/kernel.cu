// Idea:    capped registers: more threads of collide run at once, at the cost of register spills
// Layout:  structure of arrays, f[37][3 + nx + 3][pitch], columns along y; two copies of the lattice; a reaction adds gas[3]
// Traffic: stream and collide each read and write 37 values; so do comm for six columns and bc for six rows; a reaction reads
//          40 more and writes 3
// Source:  Biferale et al., section 6: higher occupancy leaves fewer registers per thread, and spills would outweigh the gain
// Bound:   as for 03_unrolled, or cache traffic from spills
#include "variants/d2q37/cuda/phases.hpp"

namespace d2q37 {
namespace {

constexpr int frame = D2Q37_REACH;

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning&) {
  return phase_traffic(real, c, frame);
}

constexpr int collide_threads = 128;  // per block, as in the publications

std::vector<ladder::Tunable> tunables() {
  std::vector<ladder::Tunable> all = column_tunables();
  all[0] = lattice::cuda::threads_tunable(collide_threads, collide_threads);
  all.push_back(
      {.name = "registers",
       .meaning = "register limit per thread in collide; a lower one lets more threads run but may cause spills; 255: none",
       .values = {64, 80, 96, 255},
       .initial = 80});
  return all;
}

__constant__ Projection<double> tables;

/// Gathers the populations that arrive in each cell, with periodic rows.
template <class real>
__global__ void __launch_bounds__(most_threads) stream_phase(Lattices<real, frame> l) {
  const Columns<frame>& c = l.c;
  const auto [x, n] = own_cell(c);
  if (n >= c.ny) return;
  const int cell = c.at(x, n);
#pragma unroll
  for (int i = 0; i < q; ++i)
    l.to[i * c.slot + cell] = l.from[i * c.slot + c.at(x - d2q37_cx[i], n - d2q37_cy[i])];
}

/// Sets the three rows at each wall, one thread per cell: `from` is the lattice before streaming, `to` after it.
template <class real>
__global__ void __launch_bounds__(most_threads) bc_phase(Lattices<real, frame> l, Relaxation<real> r) {
  const Columns<frame>& c = l.c;
  const auto [x, n, y, wall] = own_wall_cell(c);
  if (x >= c.nx) return;
  const int cell = c.at(x, y);
  real f[q];
#pragma unroll
  for (int i = 0; i < q; ++i)
    f[i] = wall.turns(i, n) ? l.from[d2q37_opposite[i] * c.slot + c.at(x, wall.row(wall.source(i, n), c.ny))]
                            : l.to[i * c.slot + cell];
  d2q37_wall(f, r.wall_speed, wall.is_top ? r.wall_theta[1] : r.wall_theta[0]);
#pragma unroll
  for (int i = 0; i < q; ++i)
    l.to[i * c.slot + cell] = f[i];
}

/// Projects and relaxes the populations in `from`, and writes them to `to`. The compiler limits registers so that at
/// least `blocks` blocks fit on a multiprocessor.
template <class real, int blocks>
__global__ void __launch_bounds__(collide_threads, blocks)
    collide_phase(Lattices<real, frame> l, Relaxation<real> r, Heat<real, frame> heat) {
  const Columns<frame>& c = l.c;
  const auto [x, n] = own_cell(c);
  if (n >= c.ny) return;
  const int cell = c.at(x, n);
  real f[q], m[moments];
#pragma unroll
  for (int i = 0; i < q; ++i)
    f[i] = l.from[i * c.slot + cell];
#pragma unroll
  for (int k = 0; k < moments; ++k) {
    real sum = 0;
#pragma unroll
    for (int i = q - 1; i >= 0; --i)
      sum += tables.project[k][i] * f[i];
    m[k] = sum;
  }
  d2q37_relax(m, r.omega, r.kick, r.warm + heat(c, x, n));
#pragma unroll
  for (int i = 0; i < q; ++i) {
    real sum = 0;
#pragma unroll
    for (int k = moments - 1; k >= 0; --k)
      sum += tables.expand[i][k] * m[k];
    l.to[i * c.slot + cell] = sum;
  }
}

template <class real>
class Phases final : public PhaseSolver<real, frame> {
 public:
  Phases(const Case& c, const ladder::Tuning& tuning)
      : PhaseSolver<real, frame>(c, tuning, {stream_phase<real>, bc_phase<real>}), collide_(kernel(tuning.at("registers"))) {
    this->split(collide_);
    const Projection<double> host = projection<double>();
    LADDER_CUDA(cudaMemcpyToSymbolAsync(tables, &host, sizeof host, 0, cudaMemcpyHostToDevice, this->device_.stream()));
  }

 private:
  using Kernel = void (*)(Lattices<real, frame>, Relaxation<real>, Heat<real, frame>);

  /// collide_phase(), compiled for at most `registers` registers per thread.
  static Kernel kernel(int registers) {
    switch (registers) {
      case 64:
        return collide_phase<real, 8>;
      case 80:
        return collide_phase<real, 6>;
      case 96:
        return collide_phase<real, 5>;
      default:
        return collide_phase<real, 2>;
    }
  }

  void collide() override { this->over_cells_(collide_, this->collision(), this->relaxation_, this->heat()); }

  const Kernel collide_;
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/cuda/03_unrolled",
    .traffic = d2q37::traffic,
    .tunables = d2q37::tunables(),
    .collision = "textbook",
    .make = ladder::make_solver<d2q37::Phases, d2q37::Model>,
};
