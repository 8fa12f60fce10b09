// Idea:    OpenMP directives: instead of OpenACC's, on the same loops
// Layout:  structure of arrays, f[9][y][x], two copies of the lattice; one sum for each row and each of 128 steps
// Traffic: every population is read once and written once: 9 values and a flag read, 9 values written
// Source:  OpenMP 5.0, section 2.12: target, teams distribute parallel for, simd
// Bound:   starting a loop, which the host waits for; memory bandwidth
#include <cmath>
#include <numeric>

#include "variants/d2q9/openacc/solver.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

constexpr std::int64_t steps_kept = 128;  // sums of this many steps wait on the device

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
class Deferred final : public AccSolver<Arrays, real> {
 public:
  Deferred(const Case& c, const ladder::Tuning&) : AccSolver<Arrays, real>(c, lattice::structure_of_arrays(c)) {}

  void advance(std::int64_t steps) override {
    if (steps > 0) this->accelerate();
    for (std::int64_t step = 1; step <= steps; ++step) {
      timestep(this->f(), this->g(), this->problem(step < steps), sums_.data() + waiting_ * this->case_.ny);
      this->swap_lattices();
      if (++waiting_ == steps_kept || step == steps) add_up();
    }
  }

 private:
  /// Advances the lattice by one step; sums[y] becomes the sum of |u| over row y.
  void timestep(const real* from, real* to, const Problem<real>& problem, double* sums) {
    const Problem<real> c = problem;
    const std::uint8_t* const solid = this->solid_.data();
#pragma omp target teams distribute parallel for is_device_ptr(from, to, solid, sums) firstprivate(c)
    for (int y = 0; y < c.ny; ++y) {
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int x = 0; x < c.nx; ++x)
        sum += update(from, to, solid[std::int64_t{y} * c.nx + x] != 0, x, y, c);
      sums[y] = sum;
    }
  }

  /// Adds up the rows of the steps whose sums are waiting.
  void add_up() {
    std::vector<double> rows(static_cast<std::size_t>(waiting_ * this->case_.ny));
    sums_.read(rows.data(), rows.size());
    for (auto row = rows.begin(); row < rows.end(); row += this->case_.ny)
      this->history_.push_back(std::accumulate(row, row + this->case_.ny, 0.0) / this->fluid_cells_);
    waiting_ = 0;
  }

  Buffer<double> sums_{this->device_, static_cast<std::size_t>(steps_kept* this->case_.ny)};  // [step][y]
  std::int64_t waiting_ = 0;                                                                  // steps
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/openacc/04_deferred", .traffic = d2q9::traffic, .make = ladder::make_solver<d2q9::Deferred, d2q9::Model>};
