// Idea:    masks: all cells are updated without a branch, and a select discards the results of those that are not fluid
// Layout:  array of structures, f[z][y][x][19], two copies of the lattice, one byte of flags per cell
// Traffic: 19 values read, 19 fetched by write-allocate, 19 written, a flag read
// Source:  Zheng, chapters 3 and 4
// Bound:   memory bandwidth, including write-allocate traffic
#include "variants/d3q19/processor.hpp"

namespace d3q19 {
namespace {

ladder::Traffic traffic(double real) { return {2 * 19 * real + 1, 19 * real}; }

template <class real>
using Base = ProcessorSolver<real, lattice::ArrayOfStructures>;

template <class real>
class TwoSweeps final : public Base<real> {
  using Base<real>::case_, Base<real>::layout_, Base<real>::f_, Base<real>::g_, Base<real>::flags_;

 public:
  TwoSweeps(const Case& c, const ladder::Tuning&) : Base<real>(c) {
#pragma omp parallel for collapse(2) schedule(static)
    for (int z = 0; z < c.nz; ++z)
      for (int y = 0; y < c.ny; ++y)
        this->initialize_row(y, z);
    this->fill_boundaries();
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
#pragma omp parallel for collapse(2) schedule(static)
      for (int z = 0; z < case_.nz; ++z)
        for (int y = 0; y < case_.ny; ++y)
          update_row(y, z);
      this->swap_lattices();
      const lattice::Places places = this->places();
#pragma omp parallel for schedule(static)
      for (std::size_t k = 0; k < this->near_.size(); ++k)
        this->return_populations(places, k);
    }
  }

 private:
  void update_row(int y, int z) {
    for (int x = 0; x < case_.nx; ++x) {
      real site[q];
      for (int i = 0; i < q; ++i)
        site[i] = f_.data()[layout_(i, lattice::wrapped(x - d3q19_cx[i], case_.nx), lattice::wrapped(y - d3q19_cy[i], case_.ny),
                                    lattice::wrapped(z - d3q19_cz[i], case_.nz))];
      d3q19_collide(site, this->omega_, this->omega_minus_);
      const bool is_fluid = (flags_.data()[layout_.cell(x, y, z)] & D3Q19_FLUID) != 0;
      for (int i = 0; i < q; ++i)
        g_.data()[layout_(i, x, y, z)] = is_fluid ? site[i] : 0;
    }
  }
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/openmp/01_flag", .traffic = d3q19::traffic, .make = ladder::make_solver<d3q19::TwoSweeps, d3q19::Model>};
