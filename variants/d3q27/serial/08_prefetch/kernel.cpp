// Idea:    prefetching: the hardware tracks only some of the 27 streams, so rows prefetch lines ahead, including in the next
//          row
// Layout:  structure of arrays, f[27][z][y][x], rows aligned to cache lines, directions padded, a single copy of the lattice
// Traffic: 27 values read and written to the same locations, so no line is fetched only for a write
// Source:  Software Optimization Guide for the AMD Zen4 Microarchitecture, 2023 (prefetching of data)
// Bound:   memory bandwidth of one core
#include "variants/d3q27/rows.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

template <class real>
using Base = Rows<real, lattice::AA>;

template <class real>
class InPlace final : public Base<real> {
  using Base<real>::case_, Base<real>::layout_, Base<real>::f_, Base<real>::phase_;
  using Vector = ladder::Vector<real>;

 public:
  InPlace(const Case& c, const ladder::Tuning& tuning) : Base<real>(c), ahead_(tuning.at("ahead") * Vector::size) {
    for (int z = 0; z < c.nz; ++z)
      for (int y = 0; y < c.ny; ++y)
        this->initialize(y, z);
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
    const int nx = case_.nx;
    const Vector omega = case_.omega();
    real* from[q];  // source of population i of site 0; its result goes to the source of the opposite direction
    for (int i = 0; i < q; ++i)
      from[i] = this->place(f_, lattice::AA::read<Lattice>(phase_, i), y, z);
    this->extend(from);
    // Lanes after the last site are never used.
    for (int x = 0; x < nx; x += Vector::size) {
      const int there = x + ahead_;
      const std::int64_t ahead = there < nx ? there : there - nx + next_row_;
      ladder::unroll<q>([&](auto i) LADDER_INLINE_LAMBDA { __builtin_prefetch(from[i] + ahead, 1); });
      Vector site[q];
      ladder::unroll<q>([&](auto i) LADDER_INLINE_LAMBDA { site[i] = Vector::load(from[i] + x); });
      d3q27_collide(site, omega);
      ladder::unroll<q>([&](auto i) LADDER_INLINE_LAMBDA { site[i].store(from[d3q27_opposite[i]] + x); });
    }
    this->bring_back(from);
  }

  const int ahead_;  // in elements
  const std::int64_t next_row_ = layout_.strides().y;
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/serial/07_inplace",
    .traffic = d3q27::traffic,
    .lattices = 1,
    .tunables = {{.name = "ahead",
                  .meaning = "prefetch distance along a row, in vectors",
                  .values = {1, 2, 4, 6, 8, 12, 16},
                  .initial = 8}},
    .make = ladder::make_solver<d3q27::InPlace, d3q27::Model>,
};
