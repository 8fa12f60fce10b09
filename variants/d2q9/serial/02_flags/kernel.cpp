// Idea:    compiler flags: the same sources, compiled with -Ofast for the host processor
// Layout:  array of structures, f[y][x][9], two copies
// Traffic: propagate and collide each read and write 9 values and fetch those that they overwrite, the average speed reads 9;
//          rebound, collide and average speed each read one flag: 45 values and 3 bytes read, 18 values written
// Source:  Waugh, section I and Table I, row "Compiler Optimizations"
// Bound:   arithmetic on one core
#include <cmath>
#include <vector>

#include "variants/d2q9/model.hpp"
#include "variants/d2q9/textbook.hpp"
#include "variants/lattice/processor.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {45 * real + 3, 18 * real}; }

template <class real>
class Skeleton final : public lattice::ProcessorSolver<Model, real, lattice::ArrayOfStructures> {
  using Base = lattice::ProcessorSolver<Model, real, lattice::ArrayOfStructures>;
  using Base::case_, Base::f_;

 public:
  Skeleton(const Case& c, const ladder::Tuning&) : Base(c), fluid_cells_(c.fluid_cells()) {
    for (int y = 0; y < c.ny; ++y)
      this->initialize(y);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      accelerate();
      propagate();
      rebound();
      collide();
      history_.push_back(average_speed());
    }
  }

  std::span<const double> history() override { return history_; }

 private:
  real* site(ladder::Array<real>& f, int x, int y) { return f.data() + 9 * (static_cast<std::size_t>(y) * case_.nx + x); }

  void accelerate() {
    const int y = case_.accelerated_row();
    for (int x = 0; x < case_.nx && y >= 0; ++x)
      if (!case_.is_solid(x, y)) d2q9_accelerate(site(f_, x, y), static_cast<real>(case_.w1()), static_cast<real>(case_.w2()));
  }

  void propagate() {
    for (int y = 0; y < case_.ny; ++y)
      for (int x = 0; x < case_.nx; ++x) {
        const int east = (x + 1) % case_.nx;
        const int west = x == 0 ? case_.nx - 1 : x - 1;
        const int north = (y + 1) % case_.ny;
        const int south = y == 0 ? case_.ny - 1 : y - 1;
        real* to = site(propagated_, x, y);
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
        if (case_.is_solid(x, y))
          for (int i = 0; i < q; ++i)
            site(f_, x, y)[i] = site(propagated_, x, y)[d2q9_opposite[i]];
  }

  void collide() {
    const real omega = static_cast<real>(case_.omega);
    for (int y = 0; y < case_.ny; ++y)
      for (int x = 0; x < case_.nx; ++x)
        if (!case_.is_solid(x, y)) {
          real* f = site(f_, x, y);
          for (int i = 0; i < q; ++i)
            f[i] = site(propagated_, x, y)[i];
          collide_textbook(f, omega, real(1));
        }
  }

  double average_speed() {
    real total = 0;
    for (int y = 0; y < case_.ny; ++y)
      for (int x = 0; x < case_.nx; ++x)
        if (!case_.is_solid(x, y)) {
          const auto m = moments(site(f_, x, y), real(1));
          total += std::sqrt(m.ux * m.ux + m.uy * m.uy);
        }
    return static_cast<double>(total) / static_cast<double>(fluid_cells_);
  }

  ladder::Array<real>& propagated_ = Base::g_;  // [y][x][9], like f_
  std::vector<double> history_;
  const std::int64_t fluid_cells_;
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {.follows = "d2q9/serial/01_skeleton",
                               .traffic = traffic,
                               .collision = "textbook",
                               .make = ladder::make_solver<Skeleton, Model>};
