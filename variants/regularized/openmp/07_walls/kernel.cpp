// Idea:    walls: what comes back from boundaries is added to a cell's sums, but only in rows near boundaries
// Layout:  blocks of one cache line, k[z][y][x / line][10][line], two copies of the lattice; 4 bytes per cell to tell which
//          populations come back; per thread, the sums of a tile of rows
// Traffic: ten moments read and written; two more rows read per tile
// Source:  A. Ladd, J. Fluid Mech. 271 (1994) 285, on populations expanded from a cell's own moments; this project
// Bound:   memory bandwidth, or the caches that hold a tile
#include "variants/regularized/obstacles.hpp"
#include "variants/regularized/openmp/axes.hpp"

namespace regularized {
namespace {

ladder::Traffic traffic(double real) { return {numbers * real, numbers * real}; }

template <class real>
class OnePass final : public MomentSolver<real, Blocks<real>>, public ladder::TakesObstacles {
  using Base = MomentSolver<real, Blocks<real>>;
  using Base::case_, Base::layout_, Base::f_, Base::g_, Base::relaxation_;
  using typename Base::Vector;

 public:
  OnePass(const Case& c, const ladder::Tuning& tuning)
      : Base(c), rows_(rows_of_tile<real>(c, tuning)), columns_(omp_get_max_threads()), around_(c) {
    for (auto& columns : columns_)
      columns.resize(static_cast<std::size_t>(rows_ * vectors_));
    if (c.solid.empty()) return;
    for (std::int64_t row = 0; row < std::int64_t{c.ny} * c.nz; ++row) {
      const auto first = around_.codes.begin() + row * c.nx;
      is_near_.push_back(std::any_of(first, first + c.nx, [](std::uint32_t code) { return code != Neighbourhoods::plain; }));
    }
  }

  void advance(std::int64_t steps) override {
#pragma omp parallel
    {
      Axes<real> axes;
      auto& columns = columns_[omp_get_thread_num()];
      for (std::int64_t step = 0; step < steps; ++step) {
#pragma omp for schedule(static)
        for (int first = 0; first < case_.ny; first += rows_)
          update(first, std::min(first + rows_, case_.ny), axes, columns.data());
#pragma omp single
        f_.swap(g_);
      }
    }
  }

 private:
  /// Updates rows first, …, end - 1 of all planes. What leaves plane z completes the cells of plane z - 1.
  void update(int first, int end, Axes<real>& axes, Column<Vector>* columns) {
    for (int z = -1; z <= case_.nz; ++z)
      for (int y = first; y < end; ++y) {
        const real* const rows[3] = {this->row(y - 1, z), this->row(y, z), this->row(y + 1, z)};
        StreamingStore<real> write(g_.data() + layout_(0, 0, y, std::max(z - 1, 0)), relaxation_);
        Column<Vector>* const of_row = columns + (y - first) * vectors_;
        const bool is_near = z >= 1 && !is_near_.empty() && is_near_[static_cast<std::size_t>((z - 1) * case_.ny + y)];
        if (is_near)
          axes.add_row(rows, case_.nx, of_row, z & 1, [&](int x, Vector* s) LADDER_INLINE_LAMBDA {
            complete(x, y, z - 1, s);
            write(x, s);
          });
        else
          axes.add_row(rows, case_.nx, of_row, z & 1, [&](int x, const Vector* s) LADDER_INLINE_LAMBDA {
            if (z >= 1) write(x, s);
          });
        if (z >= 1) write.finish();
      }
  }

  /// Completes the sums s of the vector of cells that starts at (x, y, z) by adding what comes back from boundaries. Cells that
  /// are not fluid keep their zeros.
  void complete(int x, int y, int z, Vector* s) const {
    const std::uint32_t* const codes = &around_.codes[static_cast<std::size_t>((std::int64_t{z} * case_.ny + y) * case_.nx)];
    const int end = std::min(x + Vector::size, case_.nx);
    if (std::all_of(codes + x, codes + end, [](std::uint32_t code) { return code == Neighbourhoods::plain; })) return;
    real lanes[numbers][Vector::size];
    for (int n = 0; n < numbers; ++n)
      s[n].store(lanes[n]);
    for (int cell = x; cell < end; ++cell) {
      if (codes[cell] == Neighbourhoods::plain) continue;
      real sums[numbers] = {};
      if (codes[cell] != Neighbourhoods::solid) {
        const real* const own = f_.data() + layout_(0, cell, y, z);
        real k[numbers];
        for (int n = 0; n < numbers; ++n) {
          sums[n] = lanes[n][cell - x];
          k[n] = own[n * Blocks<real>::line];
        }
        add_returned(around_.links[codes[cell]], k, static_cast<real>(case_.speed), sums);
      }
      for (int n = 0; n < numbers; ++n)
        lanes[n][cell - x] = sums[n];
    }
    for (int n = 0; n < numbers; ++n)
      s[n] = Vector::load(lanes[n]);
  }

  const int rows_;
  const int vectors_ = (case_.nx + Vector::size - 1) / Vector::size;
  std::vector<std::vector<Column<Vector>>> columns_;
  const Neighbourhoods around_;
  std::vector<bool> is_near_;  ///< [z][y]: whether a row contains cells that are not plain; empty without obstacles
};

}  // namespace
}  // namespace regularized

const regularized::Rung regularized::rung = {
    .follows = REGULARIZED_RUNG("openmp/05_axes"),
    .traffic = regularized::traffic,
    .lattices = 2.0 * regularized::numbers / regularized::q,
    .tunables = {regularized::rows_tunable()},
    .make = ladder::make_solver<regularized::OnePass, regularized::Model>,
};
