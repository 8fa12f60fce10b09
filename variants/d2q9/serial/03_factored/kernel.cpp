// Idea:    expressions factored, and pointers swapped: rebound and collide work in place, nothing is copied back
// Layout:  array of structures, f[y][x][9], two lattices
// Traffic: propagate reads 9 numbers, writes 9 and fetches what it overwrites, rebound and collide read 9 and write 9, the
//          average speed reads 9; a flag each: 36 numbers and 3 bytes read, 18 written
// Source:  Waugh, sections III (pointer swap) and X (factorized expressions)
// Bound:   arithmetic of one core
#include <cmath>

#include "variants/d2q9/processor.hpp"
#include "variants/d2q9/textbook.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {36 * real + 3, 18 * real}; }

template <class L, class real>
using Layout = lattice::ArrayOfStructures<L, real>;

template <class real>
class Loops final : public PairSolver<real, Layout> {
  using Base = PairSolver<real, Layout>;
  using Base::case_, Base::f_, Base::g_, Base::layout_, Base::solid_;

 public:
  Loops(const Case& c, const ladder::Tuning&) : Base(c) {
    for (int y = 0; y < c.ny; ++y)
      this->initialize_row(y);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 1; step <= steps; ++step) {
      this->accelerate(this->from(), case_.accelerated_row());
      for (int y = 0; y < case_.ny; ++y)
        propagate_row(y);
      for (int y = 0; y < case_.ny; ++y)
        rebound_row(y);
      for (int y = 0; y < case_.ny; ++y)
        collide_row(y);
      double speeds = 0;
      for (int y = 0; y < case_.ny; ++y)
        speeds += speeds_of_row(y);
      this->record(speeds);
      this->turn();
    }
  }

 private:
  void propagate_row(int y) {
    const auto at = layout_;
    const int nx = case_.nx;
    const int south = y > 0 ? y - 1 : case_.ny - 1;
    const int north = y < case_.ny - 1 ? y + 1 : 0;
    const real* from = f_.data();
    real* to = g_.data();
    for (int x = 0; x < nx; ++x) {
      const int west = x > 0 ? x - 1 : nx - 1;
      const int east = x < nx - 1 ? x + 1 : 0;
      const real f[q] = {from[at(0, x, y)],        from[at(1, west, y)],     from[at(2, x, south)],
                         from[at(3, east, y)],     from[at(4, x, north)],    from[at(5, west, south)],
                         from[at(6, east, south)], from[at(7, east, north)], from[at(8, west, north)]};
      for (int i = 0; i < q; ++i)
        to[at(i, x, y)] = f[i];
    }
  }

  void rebound_row(int y) {
    const auto at = layout_;
    real* to = g_.data();
    for (int x = 0; x < case_.nx; ++x)
      if (solid_[at.cell(x, y)])
        for (const int i : {1, 2, 5, 6})
          std::swap(to[at(i, x, y)], to[at(d2q9_opposite[i], x, y)]);
  }

  void collide_row(int y) {
    const auto at = layout_;
    const auto omega = static_cast<real>(case_.omega);
    real* to = g_.data();
    for (int x = 0; x < case_.nx; ++x)
      if (!solid_[at.cell(x, y)]) d2q9_collide(to + at(0, x, y), omega);
  }

  real speeds_of_row(int y) {
    const auto at = layout_;
    real speeds = 0;
    for (int x = 0; x < case_.nx; ++x)
      if (!solid_[at.cell(x, y)]) {
        const auto [density, ux, uy] = moments(g_.data() + at(0, x, y));
        speeds += std::sqrt(ux * ux + uy * uy);
      }
    return speeds;
  }
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/serial/02_flags", .traffic = traffic, .make = ladder::make_solver<Loops, Model>};
