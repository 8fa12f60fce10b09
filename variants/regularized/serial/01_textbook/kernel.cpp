// Idea:    textbook: fetch the populations of each site in turn, and collide them by the printed formulas
// Layout:  array of structures, f[z][y][x][q], two copies of the lattice
// Traffic: all q populations read, fetched by write-allocate, and written
// Source:  Latt and Chopard, Math. Comput. Simul. 72 (2006) 165
// Bound:   arithmetic of one core
#include "variants/lattice/processor.hpp"
#include "variants/regularized/textbook.hpp"

namespace regularized {
namespace {

ladder::Traffic traffic(double real) { return {2 * q * real, q * real}; }

template <class real>
using Base = lattice::ProcessorSolver<Model, real, lattice::ArrayOfStructures>;

template <class real>
class OnePass final : public Base<real> {
  using Base<real>::case_, Base<real>::layout_, Base<real>::f_, Base<real>::g_;

 public:
  OnePass(const Case& c, const ladder::Tuning&) : Base<real>(c) {
    for (int z = 0; z < c.nz; ++z)
      for (int y = 0; y < c.ny; ++y)
        this->initialize(y, z);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      for (int z = 0; z < case_.nz; ++z)
        for (int y = 0; y < case_.ny; ++y)
          for (int x = 0; x < case_.nx; ++x)
            update(x, y, z);
      this->swap_lattices();
    }
  }

 private:
  void update(int x, int y, int z) {
    real* const site = g_.data() + layout_(0, x, y, z);
    for (int i = 0; i < q; ++i) {
      const lattice::Velocity c = Lattice::c(i);
      site[i] = f_.data()[layout_(i, lattice::wrapped(x - c.x, case_.nx), lattice::wrapped(y - c.y, case_.ny),
                                  lattice::wrapped(z - c.z, case_.nz))];
    }
    collide_textbook(site, static_cast<real>(case_.omega()), real(1));
  }
};

}  // namespace
}  // namespace regularized

const regularized::Rung regularized::rung = {
    .follows = "",
    .traffic = regularized::traffic,
    .collision = "textbook",
    .make = ladder::make_solver<regularized::OnePass, regularized::Model>,
};
