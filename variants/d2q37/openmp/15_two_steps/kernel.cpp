// Idea:    two steps per pass: the second step gathers from a ring with the last eight rows of the first
// Layout:  structure of arrays, f[37][y][x], rows aligned to cache lines, directions padded, two copies of the lattice; a ring
//          of rows f[8][37][x] per thread
// Traffic: 37 values read and 37 written every two steps if the ring stays in a cache; six more rows per thread
// Source:  Wellein, Hager, Zeiser, Wittmann, Fehske, COMPSAC 2009 (wavefronts)
// Bound:   arithmetic and the cache that holds the ring (2.4 MB for 1,000 columns)
#include <utility>

#include "variants/d2q37/openmp/ends.hpp"
#include "variants/d2q37/openmp/moments.hpp"
#include "variants/lattice/own_rows.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real / 2, 37 * real / 2}; }

template <class real>
class TwoSteps final : public RowSolver<real> {
  using Base = RowSolver<real>;
  using Base::case_, Base::layout_, Base::g_, Base::relaxation_, Base::bottom_;
  using Vector = ladder::Vector<real>;

 public:
  TwoSteps(const Case& c, const ladder::Tuning& tuning)
      : Base(without_reaction(c)),
        ahead_(tuning.at("ahead") * Vector::size),
        rings_(static_cast<std::size_t>(omp_get_max_threads())) {
#pragma omp parallel
    for (const int y : lattice::own_rows(c.ny))
      this->initialize(y);
  }

  void advance(std::int64_t steps) override {
    rings_.resize(std::max(rings_.size(), static_cast<std::size_t>(omp_get_max_threads())));
#pragma omp parallel
    for (std::int64_t step = 0; step < steps; step += 2) {
      const lattice::OwnRows rows = lattice::own_rows(case_.ny);
      if (step + 1 < steps)
        take_two_steps(rows);
      else
        take_one_step(rows);
#pragma omp barrier
#pragma omp single
      this->swap_lattices();
    }
  }

 private:
  void take_one_step(const lattice::OwnRows& rows) {
    for (const int y : rows)
      this->with_wall(y, [&](const WallRow& place, auto bc) {
        ladder::RowStream<real, q> to(g_.data() + layout_(0, 0, y), layout_.strides().q);
        first_step(y, place, bc, [&](int x, const Vector* f) { to.write(x, [&](int i) { return f[i]; }); });
        to.finish();
      });
  }

  /// The thread also takes the first step of three rows on either side of its part; the threads that own them do so too.
  void take_two_steps(const lattice::OwnRows& rows) {
    if (rows.first == rows.last) return;
    Ring<real>& ring = rings_[static_cast<std::size_t>(omp_get_thread_num())];
    ring.prepare(case_.nx);
    for (int y = rows.first - Lattice::reach; y < rows.last + Lattice::reach; ++y) {
      this->with_wall(lattice::wrapped(y, case_.ny), [&](const WallRow& place, auto bc) { fill_ring(y, place, bc, ring); });
      const int ready = y - Lattice::reach;  // the last row whose sources are all in the ring
      if (ready < rows.first) continue;
      this->with_wall(ready, [&](const WallRow& place, auto bc) { second_step(ready, place, bc, ring); });
    }
  }

  /// Takes the first step of row y, and continues it in the ring's margins with copies from the opposite end.
  template <class Bc>
  void fill_ring(int y, const WallRow& place, Bc bc, Ring<real>& ring) {
    const int nx = case_.nx;
    real* to = ring.at(0, y);
    first_step(lattice::wrapped(y, case_.ny), place, bc, [&](int x, const Vector* f) LADDER_INLINE_LAMBDA {
      for (int i = 0; i < q; ++i)
        f[i].store_aligned(to + i * ring.pitch() + x);
    });
    for (int i = 0; i < q; ++i, to += ring.pitch())
      for (int n = 0; n < Lattice::reach; ++n) {
        to[nx + n] = to[n];
        to[-1 - n] = to[nx - 1 - n];
      }
  }

  /// Prefetches the lines of column x. Rows are adjacent, so columns beyond the end of a row are in the next one.
  LADDER_INLINE void ask_for(const real* const* rows, int x) const {
    // Unrolled to save loop instructions, and inlined because a compiler may drop a call to a function that returns nothing and
    // writes nothing.
    [&]<int... i>(std::integer_sequence<int, i...>) LADDER_INLINE_LAMBDA { (__builtin_prefetch(rows[i] + x), ...); }
    (std::make_integer_sequence<int, q>{});
  }

  /// Gathers and collides row y of the lattice, and calls write(x, f) for each vector of cells.
  template <class Bc, class Write>
  [[gnu::flatten]] void first_step(int y, const WallRow& place, Bc bc, Write write) const {
    const RowSources<real> from = this->sources(y, place);
    ask_for(from.row,
            static_cast<int>(layout_.columns()) + case_.nx - 1);  // the end of the next row, whose first vector wraps around
    Ends<real> ends;
    ends.copy(from, case_.nx);
    ends.for_each_vector(case_.nx, [&](int x, const real* const* pull) LADDER_INLINE_LAMBDA {
      ask_for(from.row, x + ahead_);
      Vector f[q];
      for (int i = 0; i < q; ++i)
        f[i] = Vector::load(pull[i] + x);
      collide(f, bc);
      write(x, f);
    });
  }

  /// Gathers row y from the ring, collides it and writes it to the lattice.
  template <class Bc>
  [[gnu::flatten]] void second_step(int y, const WallRow& place, Bc bc, Ring<real>& ring) {
    const real* from[q];
    for (int i = 0; i < q; ++i) {
      const Source source = source_of(i, y, place, bottom_, case_.ny);
      const int up = source.y - y;  // wrapped: the row is at most 3 rows away in the ring
      const int near = up > Lattice::reach ? up - case_.ny : up < -Lattice::reach ? up + case_.ny : up;
      from[i] = ring.at(source.i, y + near) - source.west;
    }
    ladder::RowStream<real, q> to(g_.data() + layout_(0, 0, y), layout_.strides().q);
    for (int x = 0; x < case_.nx; x += Vector::size) {
      ask_for(from, x + ahead_);
      Vector f[q];
      for (int i = 0; i < q; ++i)
        f[i] = Vector::load(from[i] + x);
      collide(f, bc);
      to.write(x, [&](int i) { return f[i]; });
    }
    to.finish();
  }

  /// Applies the wall's state with bc(f) and collides.
  template <class Bc>
  LADDER_INLINE void collide(Vector* f, Bc bc) const {
    bc(f);
    d2q37_collide(f, Vector(relaxation_.omega), Vector(relaxation_.kick), Vector(relaxation_.warm));
  }

  const int ahead_;                // in elements
  std::vector<Ring<real>> rings_;  // one per thread
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/openmp/14_ends",
    .traffic = d2q37::traffic,
    .tunables = {{.name = "ahead",
                  .meaning = "prefetch distance along a row, in vectors",
                  .values = {1, 2, 4, 6, 8, 12, 16},
                  .initial = 2}},
    .make = ladder::make_solver<d2q37::TwoSteps, d2q37::Model>,
};
