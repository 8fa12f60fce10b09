// Idea:    structure of arrays: neighbouring threads read and write neighbouring elements
// Layout:  structure of arrays, f[9][y][x], two copies of the lattice
// Traffic: every population is read once and written once: 9 values and a flag read, 9 values written
// Source:  Waugh, section IV and Table I, row "Coalesced Memory", with directives
// Bound:   waiting for the sum after each step
#include <cmath>

#include "variants/d2q9/openacc/solver.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

/// Advances cell (x, y): pulls, then rebounds or collides, then accelerates it for the next step if its row is `driven`.
/// Returns |u|, or 0 if the cell is solid.
template <class real>
[[gnu::always_inline]] inline real update(const real* from, real* to, bool solid, int x, int y, const Problem<real>& c) {
  real f[9];
  pull<Arrays>(from, x, y, c.nx, c.ny, f);
  const real arrived[9] = {f[0], f[3], f[4], f[1], f[2], f[7], f[8], f[5], f[6]};  // the opposite of each direction
  const real u2 = d2q9_collide(f, c.omega);
  if (y == c.driven && !solid) d2q9_accelerate(f, c.w1, c.w2);
#pragma GCC unroll 9
  for (int i = 0; i < 9; ++i)
    to[Arrays::at(i, x, y, c.nx, c.ny)] = solid ? arrived[i] : f[i];
  return solid ? real{0} : std::sqrt(u2);
}

template <class real>
class Fused final : public AccSolver<Arrays, real> {
 public:
  Fused(const Case& c, const ladder::Tuning&) : AccSolver<Arrays, real>(c, lattice::structure_of_arrays(c)) {}

  void advance(std::int64_t steps) override {
    if (steps > 0) this->accelerate();
    for (std::int64_t step = 1; step <= steps; ++step) {
      this->history_.push_back(timestep(this->f(), this->g(), this->problem(step < steps)) / this->fluid_cells_);
      this->swap_lattices();
    }
  }

 private:
  /// Advances the lattice by one step; returns the sum of |u|.
  double timestep(const real* from, real* to, const Problem<real>& problem) {
    const Problem<real> c = problem;
    const std::uint8_t* const solid = this->solid_.data();
    double total = 0;
#pragma acc wait
#pragma acc parallel loop gang worker vector collapse(2) num_workers(4) vector_length(32) deviceptr(from, to, solid) \
    firstprivate(c) reduction(+ : total)
    for (int y = 0; y < c.ny; ++y)
      for (int x = 0; x < c.nx; ++x)
        total += update(from, to, solid[std::int64_t{y} * c.nx + x] != 0, x, y, c);
    return total;
  }
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/openacc/02_fused", .traffic = d2q9::traffic, .make = ladder::make_solver<d2q9::Fused, d2q9::Model>};
