// Idea:    aligned rows: the first and last site are handled separately, so that no site of the loop is a special case
// Layout:  structure of arrays, f[9][y][x], rows start at a cache line, planes padded, two copies
// Traffic: 9 values read, 9 written after their lines are fetched; one flag read: 18 values and a byte read, 9 values written
// Source:  Waugh, section X (data aligned to cache lines)
// Bound:   arithmetic on one core
#include <cmath>

#include "variants/d2q9/processor.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {18 * real + 1, 9 * real}; }

template <class L, class real>
using Layout = lattice::Aligned<L, real>;

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
    const auto update_site = [&](int x, int west, int east) __attribute__((always_inline)) {
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
    };
    update_site(0, nx - 1, 1);
    for (int x = 1; x < nx - 1; ++x)
      update_site(x, x - 1, x + 1);
    update_site(nx - 1, nx - 2, 0);
    return speeds;
  }
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/serial/06_padded", .traffic = traffic, .make = ladder::make_solver<OnePass, Model>};
