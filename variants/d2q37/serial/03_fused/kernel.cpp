// Idea:    loops fused: one pass gathers and collides the populations of a cell, the rows at the walls first
// Layout:  array of structures, f[y][x][37], two lattices
// Traffic: 37 numbers read, 37 fetched that are written, 37 written
// Source:  Biferale et al., section 3; sections 5 and 6, code version V2
// Bound:   arithmetic and loads of one core
#include "variants/d2q37/sources.hpp"
#include "variants/lattice/processor.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {2 * 37 * real, 37 * real}; }

template <class real>
using Base = lattice::ProcessorSolver<Model, real, lattice::ArrayOfStructures>;

template <class real>
class OnePass final : public Base<real> {
  using Base<real>::case_, Base<real>::layout_, Base<real>::f_, Base<real>::g_;

 public:
  OnePass(const Case& c, const ladder::Tuning&) : Base<real>(without_reaction(c)) {
    for (int y = 0; y < c.ny; ++y)
      this->initialize(y);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      for (const bool at_wall : {true, false})
        for (int y = 0; y < case_.ny; ++y)
          if (const WallRow place = wall_row(y, bottom_, case_.ny); (place.n >= 0) == at_wall) update_row(y, place);
      this->turn();
    }
  }

 private:
  void update_row(int y, const WallRow& place) {
    Source from[q];
    for (int i = 0; i < q; ++i)
      from[i] = source_of(i, y, place, bottom_, case_.ny);
    for (int x = 0; x < case_.nx; ++x) {
      real f[q];
      for (int i = 0; i < q; ++i)
        f[i] = f_.data()[layout_(from[i].i, lattice::wrapped(x - from[i].west, case_.nx), from[i].y)];
      if (place.n >= 0) d2q37_wall(f, relaxation_.wall_speed, relaxation_.wall_theta[place.is_top ? 1 : 0]);
      d2q37_collide(f, relaxation_.omega, relaxation_.kick, relaxation_.warm);
      for (int i = 0; i < q; ++i)
        g_.data()[layout_(i, x, y)] = f[i];
    }
  }

  const Relaxation<real> relaxation_ = case_.template relaxation<real>();
  const int bottom_ = case_.bottom_row();
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "d2q37/serial/02_factored",
                                 .traffic = d2q37::traffic,
                                 .make = ladder::make_solver<d2q37::OnePass, d2q37::Model>};
