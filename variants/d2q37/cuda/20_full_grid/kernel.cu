// Idea:    bc on all rows: its grid covers the whole lattice with threads along x, but only blocks on the six wall rows do any
//          work
// Layout:  structure of arrays, f[37][3 + nx + 3][pitch], columns along y; two copies of the lattice; a reaction adds gas[3]
// Traffic: stream and collide each read and write 37 values; so do comm for six columns and bc for six rows; a reaction reads
//          40 more and writes 3
// Source:  Biferale et al., section 5, Figure 7: a grid of NY blocks of NX threads
// Bound:   block scheduling in bc; otherwise as for 03_unrolled
#include "variants/d2q37/cuda/phases.hpp"

namespace d2q37 {
namespace {

constexpr int frame = D2Q37_REACH;

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning&) {
  return phase_traffic(real, c, frame);
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

/// Sets the three rows at each wall: `from` is the lattice before streaming, `to` after it. Each block covers part of one row
/// of the lattice; blocks on rows away from the walls return at once.
template <class real>
__global__ void __launch_bounds__(most_threads) bc_phase(Lattices<real, frame> l, Relaxation<real> r) {
  const Columns<frame>& c = l.c;
  const Piece piece = own_piece({c.nx, c.ny, 1});
  const int x = piece.first + static_cast<int>(threadIdx.x);
  if (!c.is_at_wall(piece.y) || x >= c.nx) return;
  const bool is_top = piece.y >= Case::wall_rows;
  const Wall wall = wall_of(is_top, 0, c.ny);
  const int n = is_top ? c.ny - 1 - piece.y : piece.y;
  const int cell = c.at(x, piece.y);
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

/// Projects and relaxes the populations in `from`, and writes them to `to`.
template <class real>
__global__ void __launch_bounds__(most_threads)
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
      : PhaseSolver<real, frame>(c, tuning, {stream_phase<real>, bc_phase<real>}) {
    this->split(collide_phase<real>);
    const Projection<double> host = projection<double>();
    LADDER_CUDA(cudaMemcpyToSymbolAsync(tables, &host, sizeof host, 0, cudaMemcpyHostToDevice, this->device_.stream()));
  }

  std::vector<ladder::Phase> phases() override {
    std::vector<ladder::Phase> all = PhaseSolver<real, frame>::phases();
    for (ladder::Phase& phase : all)
      if (phase.name == "bc")
        phase.run = [this] {
          if (this->case_.bottom_row() >= 0) over_rows_(bc_phase<real>, this->forward(), this->relaxation_);
        };
    return all;
  }

 private:
  void collide() override { this->over_cells_(collide_phase<real>, this->collision(), this->relaxation_, this->heat()); }

  const Launch over_rows_ =
      over_rows(this->device_, {this->case_.nx, this->case_.ny, 1}, {std::min<std::size_t>(this->case_.nx, most_threads), 1});
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/cuda/03_unrolled",
    .traffic = d2q37::traffic,
    .tunables = d2q37::column_tunables(),
    .collision = "textbook",
    .make = ladder::make_solver<d2q37::Phases, d2q37::Model>,
};
