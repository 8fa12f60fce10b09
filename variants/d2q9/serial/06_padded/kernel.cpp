// Idea:    padded planes: the nine streams of a row fall into different cache sets
// Layout:  structure of arrays, f[9][y][x], planes a whole number of pages plus 17 cache lines apart, two copies
// Traffic: 9 values read, 9 written after their lines are fetched; one flag read: 18 values and a byte read, 9 values written
// Source:  Wellein, Zeiser, Hager, Donath, Computers & Fluids 35 (2006) 910
// Bound:   arithmetic on one core
#include <cmath>

#include "variants/d2q9/processor.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {18 * real + 1, 9 * real}; }

template <class L, class real>
using Layout = lattice::Padded<L, real>;

template <class real>
class OnePass final : public PairSolver<real, Layout> {
  using Base = PairSolver<real, Layout>;
  using Base::case_, Base::f_, Base::layout_, Base::solid_;
  using typename Base::Lattice;

 public:
  OnePass(const Case& c, const ladder::Tuning&) : Base(c) {
    for (int y = 0; y < c.ny; ++y)
      this->initialize_row(y);
  }

  void advance(std::int64_t steps) override {
    if (steps > 0) this->accelerate(this->from(), case_.accelerated_row());
    for (std::int64_t step = 1; step <= steps; ++step) {
      this->record(update(step < steps));
      this->swap_lattices();
    }
  }

 private:
  /// Advances all rows by one step, and accelerates the driven row for the next step while it is in the cache.
  double update(bool accelerate_next) {
    double speeds = 0;
    for (int y = 0; y < case_.ny; ++y) {
      speeds += update_row(this->from(), this->to(), y);
      if (accelerate_next) this->accelerate(this->to(), y);
    }
    return speeds;
  }

  real update_row(Lattice from, Lattice to, int y) {
    const int nx = case_.nx;
    const auto omega = static_cast<real>(case_.omega);
    real speeds = 0;
    for (int x = 0; x < nx; ++x) {
      const int west = x > 0 ? x - 1 : nx - 1;
      const int east = x < nx - 1 ? x + 1 : 0;
      real f[q] = {from(0, x, y),        from(1, west, y),     from(2, x, y - 1),    from(3, east, y),    from(4, x, y + 1),
                   from(5, west, y - 1), from(6, east, y - 1), from(7, east, y + 1), from(8, west, y + 1)};
      if (solid_[layout_.cell(x, y)]) {
        for (int i = 0; i < q; ++i)
          to(i, x, y) = f[d2q9_opposite[i]];
      } else {
        speeds += std::sqrt(d2q9_collide(f, omega));
        for (int i = 0; i < q; ++i)
          to(i, x, y) = f[i];
      }
    }
    return speeds;
  }
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/serial/05_soa", .traffic = traffic, .make = ladder::make_solver<OnePass, Model>};
