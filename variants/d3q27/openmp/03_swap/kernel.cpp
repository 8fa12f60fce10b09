// Idea:    no copy: the two copies of the lattice are swapped after each step
// Layout:  array of structures, f[z][y][x][27], two copies of the lattice
// Traffic: 27 values read, 27 fetched by write-allocate, 27 written
// Source:  Chintapalli and Goh, section 6.4, whose version without set_f_temp lacked the swap
// Bound:   memory bandwidth; a site's populations come from 27 locations in 9 rows
#include "variants/d3q27/model.hpp"
#include "variants/lattice/processor.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {2 * 27 * real, 27 * real}; }

template <class real>
using Base = lattice::ProcessorSolver<Model, real, lattice::ArrayOfStructures>;

template <class real>
class OnePass final : public Base<real> {
  using Base<real>::case_, Base<real>::layout_, Base<real>::f_, Base<real>::g_;

 public:
  OnePass(const Case& c, const ladder::Tuning&) : Base<real>(c) {
#pragma omp parallel for collapse(2) schedule(static)
    for (int z = 0; z < c.nz; ++z)
      for (int y = 0; y < c.ny; ++y)
        this->initialize(y, z);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      update();
      this->swap_lattices();
    }
  }

 private:
  void update() {
    const real omega = case_.omega();
    real* f = g_.data();
    const real* from = f_.data();
#pragma omp parallel for schedule(static)
    for (int z = 0; z < case_.nz; ++z)
      for (int y = 0; y < case_.ny; ++y)
        for (int x = 0; x < case_.nx; ++x) {
          real site[q];
          for (int i = 0; i < q; ++i)
            site[i] = from[layout_(i, lattice::wrapped(x - d3q27_cx[i], case_.nx), lattice::wrapped(y - d3q27_cy[i], case_.ny),
                                   lattice::wrapped(z - d3q27_cz[i], case_.nz))];
          d3q27_collide(site, omega);
          for (int i = 0; i < q; ++i)
            f[layout_(i, x, y, z)] = site[i];
        }
  }
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/openmp/02_local", .traffic = d3q27::traffic, .make = ladder::make_solver<d3q27::OnePass, d3q27::Model>};
