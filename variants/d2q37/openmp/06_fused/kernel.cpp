// Idea:    stream and collide fused (V2): the rows at the walls stream, get their state and collide first, then all others
// Layout:  array of structures of vectors, f[x][y][41][lanes], frames of 3 cells, two lattices
// Traffic: 37 numbers read, 37 fetched that are written, 37 written
// Source:  Biferale et al., sections 3 and 6, code version V2
// Bound:   arithmetic of the plain projection
#include <omp.h>

#include "backends/simd/vector.hpp"
#include "harness/bench/phases.hpp"
#include "variants/d2q37/columns.hpp"
#include "variants/d2q37/textbook.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {2 * 37 * real, 37 * real}; }

template <class real>
using Base = ColumnSolver<real, ladder::Vector<real>::size, ByColumn>;

template <class real>
class OnePass final : public Base<real>, public ladder::Phased {
  using Base<real>::case_, Base<real>::layout_, Base<real>::f_, Base<real>::g_, Base<real>::bottom_, Base<real>::relaxation_;
  using Vector = ladder::Vector<real>;
  static constexpr int frame = Base<real>::Layout::frame;

 public:
  OnePass(const Case& c, const ladder::Tuning&) : Base<real>(without_reaction(c)) {
#pragma omp parallel for schedule(static)
    for (int x = 0; x < c.nx; ++x) {
      this->initialize(x);
      if (x == 0 || x == c.nx - 1)
        for (int n = 1; n <= frame; ++n)
          this->initialize(x == 0 ? -n : x + n);
    }
    for (int row = 0; row < layout_.rows(); ++row)
      (holds_wall_cell(row) ? wall_rows_ : other_rows_).push_back(row);
  }

  void advance(std::int64_t steps) override {
#pragma omp parallel
    for (std::int64_t step = 0; step < steps; ++step) {
      comm();
      stream_rows();
      bc_collide_rows();
      bulk();
    }
  }

  std::vector<ladder::Phase> phases() override {
    return {phase("comm", &OnePass::comm), phase("stream_rows", &OnePass::stream_rows),
            phase("bc_collide_rows", &OnePass::bc_collide_rows), phase("bulk", &OnePass::bulk)};
  }

 private:
  /// A part of a step, with a team of threads of its own.
  ladder::Phase phase(std::string_view name, void (OnePass::*part)()) {
    return {name, [this, part] {
#pragma omp parallel
              (this->*part)();
            }};
  }

  // Parts of a step, by each thread of a team: the four steps of the publication.
  void comm() {
#pragma omp for schedule(static)
    for (int x = 0; x < case_.nx; ++x)
      this->wrap(f_, x);
    const int left = 0, right = std::min(1, omp_get_num_threads() - 1);  // threads that care for an end of the lattice
    if (omp_get_thread_num() == left) Base<real>::comm(f_, true);
    if (omp_get_thread_num() == right) Base<real>::comm(f_, false);
#pragma omp barrier
  }

  void stream_rows() {
#pragma omp for schedule(static)
    for (int x = 0; x < case_.nx; ++x)
      for (const int row : wall_rows_)
        for (int i = 0; i < q; ++i)
          arriving(i, x, row).store_aligned(after(i, x, row));
  }

  void bc_collide_rows() {
#pragma omp for schedule(static)
    for (int x = 0; x < case_.nx; ++x) {
      if (bottom_ >= 0)
        for (const bool is_top : {false, true})
          bc(wall_of(is_top, bottom_, case_.ny), x);
      for (const int row : wall_rows_)
        collide(x, row, [&](int i) { return Vector::load_aligned(after(i, x, row)); });
    }
  }

  void bulk() {
#pragma omp for schedule(static)
    for (int x = 0; x < case_.nx; ++x)
      for (const int row : other_rows_)
        collide(x, row, [&](int i) { return arriving(i, x, row); });
#pragma omp single
    f_.swap(g_);
  }

  real* before(int i, int x, int row) { return f_.data() + layout_(i, x, row); }
  real* after(int i, int x, int row) { return g_.data() + layout_(i, x, row); }
  Vector arriving(int i, int x, int row) { return Vector::load_aligned(before(i, x - d2q37_cx[i], row - d2q37_cy[i])); }

  /// Sets the cells of column x in the rows of a wall in g_.
  void bc(const Wall& wall, int x) {
    for (int n = 0; n < Case::wall_rows; ++n)
      set_wall(
          case_, relaxation_, wall, n, x, [&](int i) -> real& { return g_.data()[layout_.cell(i, x, wall.row(n, case_.ny))]; },
          [&](int i, int from_x, int from_y) { return f_.data()[layout_.cell(i, from_x, from_y)]; });
  }

  /// Collides the populations `population(i)` of a vector of cells and writes them to g_.
  template <class Population>
  void collide(int x, int row, Population population) {
    Vector f[q];
    for (int i = 0; i < q; ++i)
      f[i] = population(i);
    collide_textbook(f, Vector(case_.tau), Vector(case_.gravity), Vector(0));
    for (int i = 0; i < q; ++i)
      f[i].store_aligned(after(i, x, row));
  }

  [[nodiscard]] bool holds_wall_cell(int row) const {
    for (int lane = 0; lane < Vector::size; ++lane)
      if (wall_row(layout_.y(row, lane), bottom_, case_.ny).n >= 0) return true;
    return false;
  }

  std::vector<int> wall_rows_, other_rows_;  ///< with and without cells of wall rows in any lane
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "d2q37/openmp/05_first_touch",
                                 .traffic = d2q37::traffic,
                                 .collision = "textbook",
                                 .make = ladder::make_solver<d2q37::OnePass, d2q37::Model>};
