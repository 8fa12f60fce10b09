// Idea:    copied ends: the ends of the source rows are copied side by side, so that all vectors are gathered by the same code
// Layout:  structure of arrays, f[37][y][x], rows aligned to cache lines, directions padded, two copies of the lattice
// Traffic: 37 values read, 37 written
// Source:  d2q9/openmp/12_margins, which keeps such copies in the lattice
// Bound:   memory bandwidth
#include <utility>

#include "backends/simd/row_stream.hpp"
#include "variants/d2q37/openmp/ends.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

template <class real>
class OnePass final : public RowSolver<real> {
  using Base = RowSolver<real>;
  using Base::case_, Base::layout_, Base::g_, Base::relaxation_;
  using Vector = ladder::Vector<real>;

 public:
  OnePass(const Case& c, const ladder::Tuning& tuning) : Base(without_reaction(c)), ahead_(tuning.at("ahead") * Vector::size) {
#pragma omp parallel for schedule(static)
    for (int y = 0; y < c.ny; ++y)
      this->initialize(y);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
#pragma omp parallel for schedule(static)
      for (int y = 0; y < case_.ny; ++y)
        this->with_wall(y, [&](const WallRow& place, auto bc) { update_row(y, place, bc); });
      this->swap_lattices();
    }
  }

 private:
  /// Prefetches the lines of column x. Rows are adjacent, so columns beyond the end of a row are in the next one.
  LADDER_INLINE void ask_for(const real* const* rows, int x) const {
    // Unrolled to save loop instructions, and inlined because a compiler may drop a call to a function that returns nothing and
    // writes nothing.
    [&]<int... i>(std::integer_sequence<int, i...>) LADDER_INLINE_LAMBDA { (__builtin_prefetch(rows[i] + x), ...); }
    (std::make_integer_sequence<int, q>{});
  }

  /// Gathers the populations of each vector in a row, applies the wall's state with bc(f), and collides them.
  template <class Bc>
  [[gnu::flatten]] void update_row(int y, const WallRow& place, Bc bc) {
    const RowSources<real> from = this->sources(y, place);
    ask_for(from.row,
            static_cast<int>(layout_.columns()) + case_.nx - 1);  // the end of the next row, whose first vector wraps around
    Ends<real> ends;
    ends.copy(from, case_.nx);
    ladder::RowStream<real, q> to(g_.data() + layout_(0, 0, y), layout_.strides().q);
    ends.for_each_vector(case_.nx, [&](int x, const real* const* pull) LADDER_INLINE_LAMBDA {
      ask_for(from.row, x + ahead_);
      Vector f[q];
      for (int i = 0; i < q; ++i)
        f[i] = Vector::load(pull[i] + x);
      bc(f);
      d2q37_collide(f, Vector(relaxation_.omega), Vector(relaxation_.kick), Vector(relaxation_.warm));
      to.write(x, [&](int i) { return f[i]; });
    });
    to.finish();
  }

  const int ahead_;  // in elements
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/openmp/10_prefetch",
    .traffic = d2q37::traffic,
    .tunables = {{.name = "ahead",
                  .meaning = "prefetch distance along a row, in vectors",
                  .values = {1, 2, 4, 6, 8, 12, 16},
                  .initial = 2}},
    .make = ladder::make_solver<d2q37::OnePass, d2q37::Model>,
};
