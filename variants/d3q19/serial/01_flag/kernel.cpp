// Idea:    textbook code on one core: an `if` skips cells that are not fluid, and boundaries are a second sweep
// Layout:  array of structures, f[z][y][x][19], two copies of the lattice, one byte of flags per cell
// Traffic: 19 values read, 19 fetched by write-allocate, 19 written, a flag read
// Source:  Zheng, chapter 3; Kruger et al., The Lattice Boltzmann Method, Springer 2017, section 5.3.3
// Bound:   arithmetic of one core
#include "variants/d3q19/processor.hpp"
#include "variants/d3q19/textbook.hpp"
#include "variants/d3q19/traffic.hpp"

namespace d3q19 {
namespace {

template <class real>
using Base = ProcessorSolver<real, lattice::ArrayOfStructures>;

template <class real>
class TwoSweeps final : public Base<real> {
  using Base<real>::case_, Base<real>::layout_, Base<real>::f_, Base<real>::g_, Base<real>::flags_;

 public:
  TwoSweeps(const Case& c, const ladder::Tuning&) : Base<real>(c) {
    for (int z = 0; z < c.nz; ++z)
      for (int y = 0; y < c.ny; ++y)
        this->initialize_row(y, z);
    this->fill_boundaries();
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      for (int z = 0; z < case_.nz; ++z)
        for (int y = 0; y < case_.ny; ++y)
          update_row(y, z);
      this->swap_lattices();
      const lattice::Places places = this->places();
      for (std::size_t k = 0; k < this->near_.size(); ++k)
        this->return_populations(places, k);
    }
  }

 private:
  void update_row(int y, int z) {
    for (int x = 0; x < case_.nx; ++x) {
      if ((flags_.data()[layout_.cell(x, y, z)] & D3Q19_FLUID) == 0) continue;
      real* site = g_.data() + layout_(0, x, y, z);
      for (int i = 0; i < q; ++i)
        site[i] = f_.data()[layout_(i, lattice::wrapped(x - d3q19_cx[i], case_.nx), lattice::wrapped(y - d3q19_cy[i], case_.ny),
                                    lattice::wrapped(z - d3q19_cz[i], case_.nz))];
      collide_textbook(site, this->omega_, this->omega_minus_, real(1));
    }
  }
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {.follows = "",
                                 .traffic = d3q19::fetched_traffic,
                                 .collision = "textbook",
                                 .make = ladder::make_solver<d3q19::TwoSweeps, d3q19::Model>};
