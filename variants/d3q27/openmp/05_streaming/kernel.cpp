// Idea:    streaming stores: lines go to memory past the caches and are not fetched before they are overwritten
// Layout:  structure of arrays, f[27][z][y][x], rows start at a cache line, directions padded, two lattices
// Traffic: 27 numbers read, 27 written
// Source:  Wellein, Zeiser, Hager, Donath, Computers & Fluids 35 (2006) 910
// Bound:   memory bandwidth; small lattices lose, since they leave the caches at every step
#include "backends/simd/row_stream.hpp"
#include "variants/d3q27/model.hpp"
#include "variants/lattice/processor.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

template <class real>
using Base = lattice::ProcessorSolver<Model, real, lattice::AlignedApart>;

template <class real>
class OnePass final : public Base<real> {
  using Base<real>::case_, Base<real>::layout_, Base<real>::f_, Base<real>::g_;
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
      this->turn();
    }
  }

 private:
  static constexpr real lanes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

  [[gnu::flatten]] void update_row(int y, int z) {
    const int nx = case_.nx;
    const Vector omega = case_.omega();
    const real* from[q];  // site 0 of the rows that populations come from
    for (int i = 0; i < q; ++i)
      from[i] =
          f_.data() + layout_(i, 0, lattice::wrapped(y - d3q27_cy[i], case_.ny), lattice::wrapped(z - d3q27_cz[i], case_.nz));
    ladder::RowStream<real, q> to(g_.data() + layout_(0, 0, y, z), layout_.strides().q);
    const auto update_vector = [&](int x, auto pull) {
      Vector f[q];
      for (int i = 0; i < q; ++i)
        f[i] = pull(from[i], x - d3q27_cx[i]);
      d3q27_collide(f, omega);
      to.write(x, [&](int i) { return f[i]; });
    };
    const auto inside = [&](const real* row, int x) { return Vector::load(row + x); };
    // Lanes beyond either end of the row come from its other end; those after the last site are never used.
    const auto at_ends = [&](const real* row, int x) {
      const Vector lane = Vector::load(lanes);
      const Vector east = select(lane == Vector(nx - x), Vector(row[0]), inside(row, x));
      return select(lane == Vector(-1 - x), Vector(row[nx - 1]), east);
    };
    const int last = (nx - 1) / Vector::size * Vector::size;
    update_vector(0, at_ends);
    for (int x = Vector::size; x < last; x += Vector::size)
      update_vector(x, inside);
    if (last > 0) update_vector(last, at_ends);
    to.finish();
  }
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/openmp/04_soa", .traffic = d3q27::traffic, .make = ladder::make_solver<d3q27::OnePass, d3q27::Model>};
