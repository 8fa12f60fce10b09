// Idea:    two loops: one moves populations, the other rebounds or collides and adds up speeds
// Layout:  array of structures, f[y][x][9], two copies of the lattice
// Traffic: each loop reads and writes 9 values per update, the second also reads a flag: 18 values and a byte read, 18 written
// Source:  Waugh, section III (kernel fusion), with directives
// Bound:   memory bandwidth, poorly used: neighbouring threads access memory 36 or 72 bytes apart; starting three loops per
//          step
#include <cmath>

#include "variants/d2q9/openacc/solver.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {18 * real + 1, 18 * real}; }

template <class real>
class TwoLoops final : public AccSolver<Structures, real> {
 public:
  TwoLoops(const Case& c, const ladder::Tuning&) : AccSolver<Structures, real>(c, lattice::array_of_structures(c)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      this->accelerate();
      propagate(this->f(), this->g());
      this->history_.push_back(collide(this->f(), this->g()) / this->fluid_cells_);
    }
  }

 private:
  /// g = f with each population moved by one cell in its direction.
  void propagate(const real* f, real* g) {
    const int nx = this->case_.nx, ny = this->case_.ny;
#pragma acc parallel loop gang worker vector collapse(2) num_workers(4) vector_length(32) deviceptr(f, g) async(1)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        real s[9];
        pull<Structures>(f, x, y, nx, ny, s);
#pragma GCC unroll 9
        for (int i = 0; i < 9; ++i)
          g[Structures::at(i, x, y, nx, ny)] = s[i];
      }
  }

  /// Fluid cells: f = g after relaxation; solid cells: f = g with every direction reversed. Returns the sum of |u|.
  double collide(real* f, const real* g) {
    const int nx = this->case_.nx, ny = this->case_.ny;
    const real omega = static_cast<real>(this->case_.omega);
    const std::uint8_t* const solid = this->solid_.data();
    double total = 0;
#pragma acc wait
#pragma acc parallel loop gang worker vector collapse(2) num_workers(4) vector_length(32) deviceptr(f, g, solid) \
    reduction(+ : total)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        real s[9];
#pragma GCC unroll 9
        for (int i = 0; i < 9; ++i)
          s[i] = g[Structures::at(i, x, y, nx, ny)];
        const bool is_solid = solid[std::int64_t{y} * nx + x] != 0;
        const real arrived[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};  // the opposite of each direction
        const real u2 = d2q9_collide(s, omega);
#pragma GCC unroll 9
        for (int i = 0; i < 9; ++i)
          f[Structures::at(i, x, y, nx, ny)] = is_solid ? arrived[i] : s[i];
        total += is_solid ? real{0} : std::sqrt(u2);
      }
    return total;
  }
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/openacc/01_skeleton", .traffic = d2q9::traffic, .make = ladder::make_solver<d2q9::TwoLoops, d2q9::Model>};
