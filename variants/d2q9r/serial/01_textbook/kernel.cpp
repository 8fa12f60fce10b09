// Idea:    textbook: fetch the populations of each site in turn, and collide them by the printed formulas
// Layout:  array of structures, f[y][x][q], two copies of the lattice
// Traffic: all q populations read, fetched by write-allocate, and written
// Source:  Latt and Chopard, Math. Comput. Simul. 72 (2006) 165
// Bound:   arithmetic of one core
#include "variants/d2q9r/textbook.hpp"
#include "variants/lattice/processor.hpp"

namespace d2q9r {
namespace {

ladder::Traffic traffic(double real) { return {2 * q * real, q * real}; }

template <class real>
using Base = lattice::ProcessorSolver<Model, real, lattice::ArrayOfStructures>;

template <class real>
class OnePass final : public Base<real> {
  using Base<real>::case_, Base<real>::layout_, Base<real>::f_, Base<real>::g_;

 public:
  OnePass(const Case& c, const ladder::Tuning&) : Base<real>(c) {
    for (int y = 0; y < c.ny; ++y)
      this->initialize(y);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      for (int y = 0; y < case_.ny; ++y)
        for (int x = 0; x < case_.nx; ++x)
          update(x, y);
      this->swap_lattices();
    }
  }

 private:
  void update(int x, int y) {
    real* const site = g_.data() + layout_(0, x, y);
    for (int i = 0; i < q; ++i) {
      const lattice::Velocity c = Lattice::c(i);
      site[i] = f_.data()[layout_(i, lattice::wrapped(x - c.x, case_.nx), lattice::wrapped(y - c.y, case_.ny))];
    }
    collide_textbook(site, static_cast<real>(case_.omega()), real(1));
  }
};

}  // namespace
}  // namespace d2q9r

const d2q9r::Rung d2q9r::rung = {
    .follows = "",
    .traffic = d2q9r::traffic,
    .collision = "textbook",
    .make = ladder::make_solver<d2q9r::OnePass, d2q9r::Model>,
};
