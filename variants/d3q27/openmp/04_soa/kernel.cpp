// Idea:    structure of arrays: updated by vectors; columns beyond the ends of rows repeat the other end, so that no access
//          wraps in x
// Layout:  structure of arrays, f[27][z][y][x], rows aligned to cache lines, directions padded, two copies of the lattice
// Traffic: 27 values read, 27 fetched by write-allocate, 27 written
// Source:  Chintapalli and Goh, section 8.3; Wellein, Zeiser, Hager, Donath, Computers & Fluids 35 (2006) 910
// Bound:   memory bandwidth, including write-allocate traffic
#include "variants/d3q27/rows.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {2 * 27 * real, 27 * real}; }

template <class real>
using Base = Rows<real>;

template <class real>
class OnePass final : public Base<real> {
  using Base<real>::case_, Base<real>::f_, Base<real>::g_;
  using Vector = ladder::Vector<real>;

 public:
  OnePass(const Case& c, const ladder::Tuning&) : Base<real>(c) {
#pragma omp parallel for collapse(2) schedule(static)
    for (int z = 0; z < c.nz; ++z)
      for (int y = 0; y < c.ny; ++y)
        this->initialize(y, z);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
#pragma omp parallel for collapse(2) schedule(static)
      for (int z = 0; z < case_.nz; ++z)
        for (int y = 0; y < case_.ny; ++y)
          update_row(y, z);
      this->swap_lattices();
    }
  }

 private:
  void update_row(int y, int z) {
    const int nx = case_.nx;
    const Vector omega = case_.omega();
    real* from[q];  // source of population i of site 0
    real* to[q];
    for (int i = 0; i < q; ++i) {
      from[i] = this->place(f_, {i, -Lattice::c(i)}, y, z);
      to[i] = this->place(g_, {i, {}}, y, z);
    }
    this->extend(from);
    // Lanes after the last site are never used.
    for (int x = 0; x < nx; x += Vector::size) {
      Vector site[q];
      ladder::unroll<q>([&](auto i) LADDER_INLINE_LAMBDA { site[i] = Vector::load(from[i] + x); });
      d3q27_collide(site, omega);
      ladder::unroll<q>([&](auto i) LADDER_INLINE_LAMBDA { site[i].store_aligned(to[i] + x); });
    }
  }
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/openmp/03_swap", .traffic = d3q27::traffic, .make = ladder::make_solver<d3q27::OnePass, d3q27::Model>};
