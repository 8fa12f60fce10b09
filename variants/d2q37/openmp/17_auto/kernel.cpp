// Idea:    automatic vectorization: a scalar loop over the cells of a row, which the compiler vectorizes
// Layout:  structure of arrays, f[37][y][x], rows aligned to cache lines, directions padded, two copies of the lattice
// Traffic: 37 values read, 37 fetched by write-allocate, 37 written
// Source:  Biferale et al., section 6: automatic vectorization compared with explicit vectors
// Bound:   memory bandwidth, including write-allocate traffic, if the compiler vectorizes the loop
#include "variants/d2q37/rows.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {2 * 37 * real, 37 * real}; }

template <class real>
class OnePass final : public RowSolver<real> {
  using Base = RowSolver<real>;
  using Base::case_, Base::layout_, Base::g_, Base::relaxation_;

 public:
  OnePass(const Case& c, const ladder::Tuning&) : Base(without_reaction(c)) {
#pragma omp parallel for schedule(static)
    for (int y = 0; y < c.ny; ++y)
      this->initialize(y);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
#pragma omp parallel for schedule(static)
      for (int y = 0; y < case_.ny; ++y)
        if (const WallRow place = wall_row(y, this->bottom_, case_.ny); place.n >= 0)
          update_row<true>(y, place);
        else
          update_row<false>(y, place);
      this->swap_lattices();
    }
  }

 private:
  template <bool is_at_wall>
  void update_row(int y, const WallRow& place) {
    const RowSources<real> from = this->sources(y, place);
    real* const to = g_.data() + layout_(0, 0, y);
    const std::int64_t stride = layout_.strides().q;
    const Relaxation<real> r = relaxation_;
    const real theta = r.wall_theta[place.is_top ? 1 : 0];
    const int nx = case_.nx, end = std::max(Lattice::reach, nx - Lattice::reach);
    // Updates the cell at column x; source(i) returns the incoming population i.
    const auto update = [&](int x, auto source) __attribute__((always_inline)) {
      real f[q];
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i)
        f[i] = source(i);
      if (is_at_wall) d2q37_wall(f, r.wall_speed, theta);
      d2q37_collide(f, r.omega, r.kick, r.warm);
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i)
        to[i * stride + x] = f[i];
    };
    const auto update_wrapping = [&](int x) {
      update(x, [&](int i) { return from.row[i][lattice::wrapped(x - from.west[i], nx)]; });
    };
    for (int x = 0; x < std::min(Lattice::reach, nx); ++x)
      update_wrapping(x);
#pragma omp simd
    for (int x = Lattice::reach; x < end; ++x)
      update(x, [&](int i) { return from.row[i][x - from.west[i]]; });
    for (int x = end; x < nx; ++x)
      update_wrapping(x);
  }
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "d2q37/openmp/08_factored",
                                 .traffic = d2q37::traffic,
                                 .make = ladder::make_solver<d2q37::OnePass, d2q37::Model>};
