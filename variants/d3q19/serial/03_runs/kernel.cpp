// Idea:    run-length lists: loops over runs of fluid cells need no flags, and runs of links return populations row by row
// Layout:  array of structures, f[z][y][x][19], two copies of the lattice; a list of runs per row
// Traffic: 19 values read, 19 fetched by write-allocate, 19 written; lists of runs are short
// Source:  Martys and Hagedorn, Materials and Structures 35 (2002) 650; Kruger et al., section 13.4 (indirect addressing)
// Bound:   arithmetic of one core
#include "variants/d3q19/processor.hpp"
#include "variants/d3q19/runs.hpp"
#include "variants/d3q19/textbook.hpp"
#include "variants/d3q19/traffic.hpp"

namespace d3q19 {
namespace {

template <class real>
using Base = ProcessorSolver<real, lattice::ArrayOfStructures>;

template <class real>
class OneSweep final : public Base<real> {
  using Base<real>::case_, Base<real>::layout_, Base<real>::f_, Base<real>::g_;

 public:
  OneSweep(const Case& c, const ladder::Tuning&) : Base<real>(c), cells_(cell_runs(c)), links_(link_runs(c)) {
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
        collide_textbook(site, this->omega_, this->omega_minus_, real(1));
      }
    return_populations(g_.data(), layout_, case_, links_.row(y, z), y, z);
  }

  const Runs<CellRun> cells_;
  const Runs<LinkRun> links_;
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {.follows = "d3q19/serial/02_masks",
                                 .traffic = d3q19::fetched_traffic,
                                 .collision = "textbook",
                                 .make = ladder::make_solver<d3q19::OneSweep, d3q19::Model>};
