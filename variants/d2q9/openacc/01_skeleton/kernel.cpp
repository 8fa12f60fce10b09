// Idea:    directives on the loops of the skeleton: the lattice stays on the device, which sends back one sum per step
// Layout:  array of structures, f[y][x][9], two copies of the lattice
// Traffic: propagate and collide each read and write 9 values per update, the average speed reads them again; rebound, collide
//          and average each read one flag: 27 values and 3 bytes read, 18 values written
// Source:  Calore et al., section 3, on the UoB-HPC coursework code of Waugh's Table I, row "Skeleton"
// Bound:   memory bandwidth, poorly used: neighbouring threads access memory 36 or 72 bytes apart; starting five loops per step
#include <cmath>

#include "variants/d2q9/openacc/solver.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real + 3, 18 * real}; }

template <class real>
class Skeleton final : public AccSolver<Structures, real> {
 public:
  Skeleton(const Case& c, const ladder::Tuning&) : AccSolver<Structures, real>(c, lattice::array_of_structures(c)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      this->accelerate();
      propagate(this->f(), this->g());
      rebound(this->f(), this->g());
      collide(this->f(), this->g());
      this->history_.push_back(average_speed(this->f()));
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

  /// Solid cells: f = g with every direction reversed.
  void rebound(real* f, const real* g) {
    const int nx = this->case_.nx, ny = this->case_.ny;
    const std::uint8_t* const solid = this->solid_.data();
#pragma acc parallel loop gang worker vector collapse(2) num_workers(4) vector_length(32) deviceptr(f, g, solid) async(1)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        if (solid[std::int64_t{y} * nx + x] != 0) {
#pragma GCC unroll 9
          for (int i = 0; i < 9; ++i)
            f[Structures::at(i, x, y, nx, ny)] = g[Structures::at(opposite(i), x, y, nx, ny)];
        }
  }

  /// Fluid cells: f = g after relaxation.
  void collide(real* f, const real* g) {
    const int nx = this->case_.nx, ny = this->case_.ny;
    const real omega = static_cast<real>(this->case_.omega);
    const std::uint8_t* const solid = this->solid_.data();
#pragma acc parallel loop gang worker vector collapse(2) num_workers(4) vector_length(32) deviceptr(f, g, solid) async(1)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        if (solid[std::int64_t{y} * nx + x] == 0) {
          real s[9];
#pragma GCC unroll 9
          for (int i = 0; i < 9; ++i)
            s[i] = g[Structures::at(i, x, y, nx, ny)];
          d2q9_collide(s, omega);
#pragma GCC unroll 9
          for (int i = 0; i < 9; ++i)
            f[Structures::at(i, x, y, nx, ny)] = s[i];
        }
  }

  /// Returns the mean of |u| over the fluid cells.
  double average_speed(const real* f) {
    const int nx = this->case_.nx, ny = this->case_.ny;
    const std::uint8_t* const solid = this->solid_.data();
    double total = 0;
#pragma acc wait
#pragma acc parallel loop gang worker vector collapse(2) num_workers(4) vector_length(32) deviceptr(f, solid) reduction(+ : total)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        if (solid[std::int64_t{y} * nx + x] == 0) {
          real density = 1, mx = 0, my = 0;
#pragma GCC unroll 9
          for (int i = 0; i < 9; ++i) {
            const real s = f[Structures::at(i, x, y, nx, ny)];
            density += s;
            mx += cx(i) * s;
            my += cy(i) * s;
          }
          total += std::sqrt(mx * mx + my * my) / density;
        }
    return total / this->fluid_cells_;
  }
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "", .traffic = d2q9::traffic, .make = ladder::make_solver<d2q9::Skeleton, d2q9::Model>};
