// Idea:    open boundaries: inflow at the density of the fluid, and outflow cells filled by the cell upstream of them
// Layout:  array of structures, f[z][y][x][19], two copies of the lattice; a list of runs per row
// Traffic: 19 values read, 19 fetched by write-allocate, 19 written; lists of runs are short
// Source:  Ladd, J. Fluid Mech. 271 (1994) 285 (inflow); Yang, Comput. Math. Appl. 65 (2013) 160 (outflow)
// Bound:   arithmetic of one core
#include "variants/d3q19/open.hpp"
#include "variants/d3q19/traffic.hpp"

namespace d3q19 {
namespace {

template <class real>
using Base = OpenSolver<real, lattice::ArrayOfStructures>;

template <class real>
class OneSweep final : public Base<real> {
  using Base<real>::case_, Base<real>::layout_, Base<real>::f_, Base<real>::g_;

 public:
  OneSweep(const Case& c, const ladder::Tuning&) : Base<real>(c), cells_(cell_runs(c)) {
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
    }
  }

 private:
  void update_row(int y, int z) {
    for (const CellRun& run : cells_.row(y, z))
      for (int x = run.begin; x < run.end; ++x) {
        real* site = g_.data() + layout_(0, x, y, z);
        for (int i = 0; i < q; ++i)
          site[i] =
              f_.data()[layout_(i, lattice::wrapped(x - d3q19_cx[i], case_.nx), lattice::wrapped(y - d3q19_cy[i], case_.ny),
                                lattice::wrapped(z - d3q19_cz[i], case_.nz))];
        d3q19_collide(site, this->omega_, this->omega_minus_);
      }
    this->return_row(g_.data(), y, z);
  }

  const Runs<CellRun> cells_;
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {.follows = "d3q19/serial/04_factored",
                                 .traffic = d3q19::fetched_traffic,
                                 .make = ladder::make_solver<d3q19::OneSweep, d3q19::Model>};
