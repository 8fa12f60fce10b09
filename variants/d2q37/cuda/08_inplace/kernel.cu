// Idea:    in place (AA pattern): each number is read and written by the same thread; even steps fetch, odd ones are local
// Layout:  structure of arrays with padded rows, f[37][y][pitch], a single copy of the lattice
// Traffic: every population read once and written once: 37 numbers read, 37 written
// Source:  Bailey et al., "Accelerating Lattice Boltzmann Fluid Flow Simulations Using Graphics Processors", ICPP 2009
// Bound:   memory bandwidth
#include "variants/d2q37/cuda/solver.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

constexpr int most_threads = 256;  // per block: each needs more than 128 registers

/// Arguments of a step's kernel.
template <class real>
struct InPlaceStep {
  Arrays<q, real> f;  ///< [y][pitch]
  Problem<real> c;
};

/// Advances one cell. `local`: population i lies in its cell, in the place of the opposite direction; otherwise it is fetched
/// from the neighbour, and one that comes back from a wall from the row that it left, in the place of the opposite direction.
/// The population that leaves in direction i goes to where the opposite one came from.
template <bool local, bool at_wall, class real>
__device__ void update(const InPlaceStep<real>& step, int x, int y) {
  const Problem<real>& c = step.c;
  const Sources from(x, y, c);
  const bool is_top = y >= Case::wall_rows;
  const Wall wall = wall_of(is_top, 0, c.ny);
  const int n = is_top ? c.ny - 1 - y : y;
  const auto place = [&](int i) -> real& {
    const int opposite = d2q37_opposite[i];
    if (local) return step.f.of[opposite][from.own()];
    if (at_wall && wall.turns(i, n)) return step.f.of[opposite][c.row(wall.row(wall.source(i, n), c.ny)) + x];
    return step.f.of[i][from(i)];
  };
  real f[q];
#pragma unroll
  for (int i = 0; i < q; ++i)
    f[i] = place(i);
  const Relaxation<real>& r = c.relaxation;
  if (at_wall) d2q37_wall(f, r.wall_speed, r.wall_theta[is_top]);
  d2q37_collide(f, r.omega, r.kick, r.warm);
#pragma unroll
  for (int i = 0; i < q; ++i)
    place(d2q37_opposite[i]) = f[i];
}

/// The rows at the walls: three at the bottom, three at the top.
template <bool local, class real>
__global__ void __launch_bounds__(most_threads) wall_rows(InPlaceStep<real> step) {
  const int x = own_column(), n = own_row();
  if (x >= step.c.nx || n >= 2 * Case::wall_rows) return;
  update<local, true>(step, x, n < Case::wall_rows ? n : step.c.ny - 2 * Case::wall_rows + n);
}

/// The rows between them.
template <bool local, class real>
__global__ void __launch_bounds__(most_threads) inner_rows(InPlaceStep<real> step) {
  const int x = own_column(), n = own_row();
  if (x >= step.c.nx || n >= step.c.inner_rows()) return;
  update<local, false>(step, x, step.c.first_inner_row() + n);
}

template <class real>
class InPlace final : public PopulationSolver<real, lattice::AA> {
  using Base = PopulationSolver<real, lattice::AA>;

 public:
  InPlace(const Case& c, const ladder::Tuning& tuning) : Base(without_reaction(c), lattice::cuda::block_shape(tuning)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      const InPlaceStep<real> arguments = {this->template arrays<real>(this->f()), this->problem_};
      const bool local = this->phase_ == 1;
      if (this->problem_.walls) at_walls_(local ? wall_rows<true, real> : wall_rows<false, real>, arguments);
      inside_(local ? inner_rows<true, real> : inner_rows<false, real>, arguments);
      this->turn();
    }
  }

 private:
  const Launch at_walls_ = this->over_rows(2 * Case::wall_rows);
  const Launch inside_ = this->over_rows(this->problem_.inner_rows());
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/cuda/06_factored",
    .traffic = d2q37::traffic,
    .lattices = 1,
    .tunables = d2q37::block_tunables(128, 1),
    .constraints = lattice::cuda::block_constraints(d2q37::most_threads),
    .make = ladder::make_solver<d2q37::InPlace, d2q37::Model>,
};
