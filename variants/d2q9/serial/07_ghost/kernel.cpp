// Idea:    ghost columns beside aligned rows: no site is a special case, and the loop is nothing but arithmetic
// Layout:  structure of arrays, f[9][y][x], x = -1 ... nx, rows start at a cache line, planes padded, two lattices
// Traffic: 9 numbers read, 9 written and, before, fetched; one flag read: 18 numbers and a byte read, 9 written
// Source:  Waugh, section X (data aligned to cache lines)
// Bound:   arithmetic of one core
#include <cmath>

#include "variants/d2q9/pair_solver.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {18 * real + 1, 9 * real}; }

template <class real>
using Layout = GhostLayout<real>;

template <class real>
class OnePass final : public PairSolver<real, Layout> {
  using Base = PairSolver<real, Layout>;
  using Base::case_, Base::from_, Base::layout_, Base::solid_, Base::to_;

 public:
  OnePass(const Case& c, const ladder::Tuning&) : Base(c) {
    for (int y = 0; y < c.ny; ++y)
      this->initialize_row(y);
  }

  void advance(std::int64_t steps) override {
    if (steps > 0) this->accelerate(from_.data());
    for (std::int64_t step = 1; step <= steps; ++step) {
      this->record(update(step < steps));
      from_.swap(to_);
    }
  }

 private:
  /// One step of all rows, which drives the accelerated one for the next step while it is in the cache.
  double update(bool accelerate_next) {
    double speeds = 0;
    for (int y = 0; y < case_.ny; ++y) {
      speeds += update_row(y);
      if (accelerate_next && y == case_.accelerated_row()) this->accelerate(to_.data());
    }
    return speeds;
  }

  real update_row(int y) {
    const Layout<real> at = layout_;
    const int nx = case_.nx;
    const int south = y > 0 ? y - 1 : case_.ny - 1;
    const int north = y < case_.ny - 1 ? y + 1 : 0;
    const auto omega = static_cast<real>(case_.omega);
    real* from = from_.data();
    // A ghost is pulled by one row only: it is filled just before, from a cache line that the row needs anyway.
    const int row[q] = {y, y, south, y, north, south, south, north, north};
    for (const int i : {1, 5, 8})
      from[at(i, -1, row[i])] = from[at(i, nx - 1, row[i])];
    for (const int i : {3, 6, 7})
      from[at(i, nx, row[i])] = from[at(i, 0, row[i])];
    real* to = to_.data();
    real speeds = 0;
    for (int x = 0; x < nx; ++x) {
      real f[q] = {from[at(0, x, y)],         from[at(1, x - 1, y)],     from[at(2, x, south)],
                   from[at(3, x + 1, y)],     from[at(4, x, north)],     from[at(5, x - 1, south)],
                   from[at(6, x + 1, south)], from[at(7, x + 1, north)], from[at(8, x - 1, north)]};
      if (solid_[at.site(x, y)]) {
        for (int i = 0; i < q; ++i)
          to[at(i, x, y)] = f[opposite[i]];
      } else {
        speeds += std::sqrt(d2q9_collide(f, omega));
        for (int i = 0; i < q; ++i)
          to[at(i, x, y)] = f[i];
      }
    }
    return speeds;
  }
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/serial/06_padded", .traffic = traffic, .make = ladder::make_solver<OnePass, Model>};
