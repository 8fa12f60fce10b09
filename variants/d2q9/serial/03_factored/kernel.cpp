// Idea:    factored expressions: opposite directions share terms and a single division; a comparison wraps an axis
// Layout:  array of structures, f[y][x][9], two copies
// Traffic: propagate reads 9 values, writes 9 and fetches those that it overwrites, rebound and collide read 9 and write 9, the
//          average speed reads 9; a flag each: 36 values and 3 bytes read, 18 values written
// Source:  Waugh, section X (factorized expressions)
// Bound:   arithmetic on one core
#include <cmath>
#include <utility>

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
      propagate();
      rebound();
      collide();
      this->record(sum_of_speeds());
      this->swap_lattices();
    }
  }

 private:
  real* site(ladder::Array<real>& f, int x, int y) { return f.data() + layout_(0, x, y); }
  bool is_solid(int x, int y) { return solid_[layout_.cell(x, y)]; }

  void propagate() {
    for (int y = 0; y < case_.ny; ++y)
      for (int x = 0; x < case_.nx; ++x) {
        const int east = x == case_.nx - 1 ? 0 : x + 1;
        const int west = x == 0 ? case_.nx - 1 : x - 1;
        const int north = y == case_.ny - 1 ? 0 : y + 1;
        const int south = y == 0 ? case_.ny - 1 : y - 1;
        real* to = site(g_, x, y);
        to[0] = site(f_, x, y)[0];
        to[1] = site(f_, west, y)[1];
        to[2] = site(f_, x, south)[2];
        to[3] = site(f_, east, y)[3];
        to[4] = site(f_, x, north)[4];
        to[5] = site(f_, west, south)[5];
        to[6] = site(f_, east, south)[6];
        to[7] = site(f_, east, north)[7];
        to[8] = site(f_, west, north)[8];
      }
  }

  void rebound() {
    for (int y = 0; y < case_.ny; ++y)
      for (int x = 0; x < case_.nx; ++x)
        if (is_solid(x, y))
          for (const int i : {1, 2, 5, 6})
            std::swap(site(g_, x, y)[i], site(g_, x, y)[d2q9_opposite[i]]);
  }

  void collide() {
    const real omega = static_cast<real>(case_.omega);
    for (int y = 0; y < case_.ny; ++y)
      for (int x = 0; x < case_.nx; ++x)
        if (!is_solid(x, y)) d2q9_collide(site(g_, x, y), omega);
  }

  double sum_of_speeds() {
    real total = 0;
    for (int y = 0; y < case_.ny; ++y)
      for (int x = 0; x < case_.nx; ++x)
        if (!is_solid(x, y)) {
          const auto m = moments(site(g_, x, y), real(1));
          total += std::sqrt(m.ux * m.ux + m.uy * m.uy);
        }
    return total;
  }
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/serial/09_swapped", .traffic = traffic, .make = ladder::make_solver<Loops, Model>};
