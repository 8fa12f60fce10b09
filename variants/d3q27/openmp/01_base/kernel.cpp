// Idea:    the notebook's start with threads: each thread updates, copies and first-touches its own planes
// Layout:  array of structures, f[z][y][x][27], two copies of the lattice
// Traffic: update and copy each read 27 values, fetch the 27 that they write, and write them
// Source:  Chintapalli and Goh, section 1 (run_lbm, set_f_temp)
// Bound:   memory bandwidth, spent twice over
#include "variants/d3q27/model.hpp"
#include "variants/lattice/processor.hpp"

namespace d3q27 {
namespace {

/// Two passes, each of which fetches the lines it writes: 27 values read, 27 fetched, 27 written.
ladder::Traffic traffic(double real) { return {4 * 27 * real, 2 * 27 * real}; }

template <class real>
using Base = lattice::ProcessorSolver<Model, real, lattice::ArrayOfStructures>;

template <class real>
class TwoPasses final : public Base<real> {
  using Base<real>::case_, Base<real>::layout_, Base<real>::f_, Base<real>::g_;

 public:
  TwoPasses(const Case& c, const ladder::Tuning&) : Base<real>(c) {
#pragma omp parallel for collapse(2) schedule(static)
    for (int z = 0; z < c.nz; ++z)
      for (int y = 0; y < c.ny; ++y)
        this->initialize(y, z);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      copy();
      update();
    }
  }

 private:
  void update() {
    const real omega = case_.omega();
    real* f = f_.data();
    const real* from = g_.data();
#pragma omp parallel for schedule(static)
    for (int z = 0; z < case_.nz; ++z)
      for (int y = 0; y < case_.ny; ++y)
        for (int x = 0; x < case_.nx; ++x) {
          real* site = f + layout_(0, x, y, z);
          for (int i = 0; i < q; ++i)
            site[i] = from[layout_(i, lattice::wrapped(x - d3q27_cx[i], case_.nx), lattice::wrapped(y - d3q27_cy[i], case_.ny),
                                   lattice::wrapped(z - d3q27_cz[i], case_.nz))];
          d3q27_collide(site, omega);
        }
  }

  void copy() {
#pragma omp parallel for schedule(static)
    for (int z = 0; z < case_.nz; ++z) {
      const std::int64_t first = layout_(0, 0, 0, z), last = layout_(0, 0, 0, z + 1);
      for (std::int64_t i = first; i < last; ++i)
        g_.data()[i] = f_.data()[i];
    }
  }
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/serial/01_base", .traffic = d3q27::traffic, .make = ladder::make_solver<d3q27::TwoPasses, d3q27::Model>};
