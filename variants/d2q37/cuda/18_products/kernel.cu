// Idea:    smaller table: each coefficient is the product of two one-dimensional polynomials; eight values per population.
//          Weights and factorials are in the code
// Layout:  structure of arrays, f[37][3 + nx + 3][pitch], columns along y; two copies of the lattice; a reaction adds gas[3]
// Traffic: stream and collide each read and write 37 values; so do comm for six columns and bc for six rows; a reaction reads
//          40 more and writes 3
// Source:  Calore et al., section 5: a table of 2,368 bytes, enough for eight coefficients per population (the text says 18)
// Bound:   the double-precision pipe in collide, 1,110 multiply-adds per update plus the products; memory bandwidth in stream
#include "variants/d2q37/cuda/phases.hpp"

namespace d2q37 {
namespace {

constexpr int frame = D2Q37_REACH;

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning&) {
  return phase_traffic(real, c, frame);
}

/// Hermite polynomials of degrees 1 to 4 at each population's velocity along x and y, in cells per step (collide.h).
__constant__ double polynomials[2][q][4];

/// Degrees of polynomial k, like degrees(), but without a loop, so that the result is a constant in unrolled loops.
__device__ constexpr Degrees degrees_of(int k) {
  const int total = k < 1 ? 0 : k < 3 ? 1 : k < 6 ? 2 : k < 10 ? 3 : 4;
  const int b = k - total * (total + 1) / 2;
  return {total - b, b};
}

/// Multiplies `value` by the coefficient of population i in moment k > 0, one polynomial at a time: if the polynomials were
/// multiplied by each other first, the compiler would reuse these products in the expansion and keep all of them until then.
template <class real>
__device__ __forceinline__ real weighted(real value, int k, int i) {
  const auto [a, b] = degrees_of(k);
  if (a > 0) value *= polynomials[0][i][a - 1];
  if (b > 0) value *= polynomials[1][i][b - 1];
  return value;
}

/// 1 / (n! s^n), where s is D2Q37_S.
__device__ constexpr double expansion_factor(int n) {
  constexpr double factors[] = {1, 1 / D2Q37_S, 1 / (2 * D2Q37_S * D2Q37_S), 1 / (6 * D2Q37_S * D2Q37_S * D2Q37_S),
                                1 / (24 * D2Q37_S * D2Q37_S * D2Q37_S * D2Q37_S)};
  return factors[n];
}

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
      sum += k == 0 ? f[i] : weighted(f[i], k, i);
    m[k] = sum;
  }
  d2q37_relax(m, r.omega, r.kick, r.warm + heat(c, x, n));
#pragma unroll
  for (int k = 1; k < moments; ++k)
    m[k] *= static_cast<real>(expansion_factor(degrees_of(k).a) * expansion_factor(degrees_of(k).b));
#pragma unroll
  for (int i = 0; i < q; ++i) {
    real sum = 0;
#pragma unroll
    for (int k = moments - 1; k > 0; --k)
      sum += weighted(m[k], k, i);
    l.to[i * c.slot + cell] = static_cast<real>(D2Q37_WEIGHT(i)) * (sum + m[0]);
  }
}

template <class real>
class Phases final : public PhaseSolver<real, frame> {
 public:
  Phases(const Case& c, const ladder::Tuning& tuning)
      : PhaseSolver<real, frame>(c, tuning, {stream_phase<real>, bc_phase<real>}) {
    this->split(collide_phase<real>);
    double host[2][q][4], factor = 1;
    for (int n = 1; n <= 4; ++n) {
      factor *= D2Q37_R;
      for (int i = 0; i < q; ++i) {
        host[0][i][n - 1] = hermite(n, d2q37_cx[i]) / factor;
        host[1][i][n - 1] = hermite(n, d2q37_cy[i]) / factor;
      }
    }
    LADDER_CUDA(cudaMemcpyToSymbolAsync(polynomials, host, sizeof host, 0, cudaMemcpyHostToDevice, this->device_.stream()));
  }

 private:
  void collide() override { this->over_cells_(collide_phase<real>, this->collision(), this->relaxation_, this->heat()); }
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
