// Idea:    in place (AA pattern): each place is read and written for the same cell; even steps fetch, odd ones are local
// Layout:  structure of arrays, f[19][z][y][x], rows start at a cache line, directions padded, one lattice, flags
// Traffic: 19 numbers read and written where they were read, so that no line is fetched only for a write; a flag read
// Source:  Bailey et al., "Accelerating Lattice Boltzmann Fluid Flow Simulations Using Graphics Processors", ICPP 2009
// Bound:   memory bandwidth
#include "variants/d3q19/openmp/in_place_rows.hpp"
#include "variants/d3q19/traffic.hpp"

namespace d3q19 {
namespace {

template <class real>
struct InPlace final : InPlaceRows<real> {
  InPlace(const Case& c, const ladder::Tuning&) : InPlaceRows<real>(c) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
#pragma omp parallel for collapse(2) schedule(static)
      for (int z = 0; z < this->case_.nz; ++z)
        for (int y = 0; y < this->case_.ny; ++y)
          this->update_row(y, z, this->phase_);
      this->turn();
    }
  }
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {.follows = "d3q19/openmp/05_streaming",
                                 .traffic = d3q19::fused_traffic,
                                 .lattices = 1,
                                 .make = ladder::make_solver<d3q19::InPlace, d3q19::Model>};
