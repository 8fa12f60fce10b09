// Idea:    temporal blocking: a sweep advances each row by up to six steps while it and its neighbours are in the cache
// Layout:  structure of arrays, f[9][y][x], padded; rows start at a cache line; two copies, three rows per intermediate step
// Traffic: 9 values read and written and a flag read every six steps; below 40 rows per thread, every five or fewer steps
// Source:  Fu, Li, Song, Zhu, Designing a parallel memory-aware lattice Boltzmann algorithm on manycore systems, 2018
// Bound:   arithmetic and cache bandwidth; threads recompute some rows of their neighbours
#include "backends/simd/row_stream.hpp"
#include "backends/simd/wrapped.hpp"
#include "roofline/model/bound.hpp"
#include "variants/d2q9/processor.hpp"
#include "variants/d2q9/tiles.hpp"
#include "variants/lattice/own_rows.hpp"

namespace d2q9 {
namespace {

bool fits_no_cache(double bytes) { return ladder::residency(bytes, ladder::this_machine().caches) == ladder::main_memory; }

template <class L, class real>
using Layout = lattice::Aligned<L, real>;

template <class real>
class OnePass final : public PairSolver<real, Layout> {
  using Base = PairSolver<real, Layout>;
  using Vector = ladder::Vector<real>;
  using Base::case_, Base::fluid_cells_, Base::f_, Base::history_, Base::layout_, Base::solid_;
  using typename Base::Lattice;

 public:
  OnePass(const Case& c, const ladder::Tuning&)
      : Base(c),
        streams_(fits_no_cache(2.0 * f_.size() * sizeof(real))),
        depth_(depth(c)),
        rows_({c.nx, 3}),
        between_(depth_ * rows_.required_span_size()) {
#pragma omp parallel
    for (const int y : lattice::own_rows(c.ny))
      this->initialize_row(y);
  }

  void advance(std::int64_t steps) override {
    if (steps > 0) this->accelerate(this->from(), case_.accelerated_row());
    const std::size_t done = history_.size();
    history_.resize(done + static_cast<std::size_t>(steps));
#pragma omp parallel
    {
      Lattice from = this->from();
      Lattice to = this->to();
      for (std::int64_t step = 0; step < steps; step += depth_) {
        const int sweep = static_cast<int>(std::min<std::int64_t>(depth_, steps - step));
        update(from, to, sweep, step + sweep < steps, &history_[done + step]);
        std::swap(from, to);
#pragma omp barrier
      }
    }
    if ((steps + depth_ - 1) / depth_ % 2 == 1) this->swap_lattices();
  }

 private:
  /// Advances this thread's rows by `steps` steps, each one row behind the previous step: as soon as a step has row y, the next
  /// one can compute row y - 1. The thread also computes the rows around its own that its steps depend on; their owners compute
  /// them, too. Threads therefore meet only once per sweep.
  void update(const Lattice& from, const Lattice& to, int steps, bool accelerate_next, double* history) {
    const auto [first, last] = lattice::own_rows(case_.ny);
    if (first == last) return;
    std::vector<Lattice> after = {from};  // after[s]: the lattice after s steps of the sweep
    for (int step = 1; step < steps; ++step)
      after.push_back({between_.own() + (step - 1) * rows_.required_span_size(), rows_, 3});
    after.push_back(to);
    std::vector<double> speeds(static_cast<std::size_t>(steps));
    for (int front = first - (steps - 1); front < last + (steps - 1); ++front)
      for (int step = 1, y = front; step <= steps && first - (steps - step) <= y; ++step, --y) {
        const Lattice &before = after[step - 1], &next = after[step];
        const real of_row = step == steps && streams_ ? update_row<true>(before, next, y) : update_row<false>(before, next, y);
        if (first <= y && y < last) speeds[step - 1] += of_row;
        if (step < steps || accelerate_next) this->accelerate(next, y);
      }
    for (int step = 0; step < steps; ++step)
#pragma omp atomic
      history[step] += speeds[step] / static_cast<double>(fluid_cells_);
  }

  template <bool streams>
  [[gnu::flatten]] real update_row(const Lattice& from, const Lattice& to, int y) {
    const int nx = case_.nx;
    const Vector omega = case_.omega;
    const std::uint8_t* solid = solid_.data() + layout_.cell(0, (y + case_.ny) % case_.ny);
    const real *south = &from(0, 0, y - 1), *here = &from(0, 0, y), *north = &from(0, 0, y + 1);
    real* const target = &to(0, 0, y);
    const std::int64_t plane = from.layout.strides().q, target_plane = to.layout.strides().q;
    Vector speeds = 0;
    ladder::RowStream<real, q> streamed(target, target_plane);
    const auto update_vector = [&](int x, auto pull) {
      const Vector pulled[q] = {pull(0, x, here),      pull(1, x - 1, here),  pull(2, x, south),
                                pull(3, x + 1, here),  pull(4, x, north),     pull(5, x - 1, south),
                                pull(6, x + 1, south), pull(7, x + 1, north), pull(8, x - 1, north)};
      Vector f[q];
      for (int i = 0; i < q; ++i)
        f[i] = pulled[i];
      const auto rebounds = Vector::MaskType::from_bytes(solid + x);
      speeds += select(rebounds, Vector(0), sqrt(d2q9_collide(f, omega)));
      const auto next = [&](int i) { return select(rebounds, pulled[d2q9_opposite[i]], f[i]); };
      if constexpr (streams)
        streamed.write(x, next);
      else
        for (int i = 0; i < q; ++i)
          next(i).store_aligned(target + i * target_plane + x);
    };
    const auto inside = [&](int i, int x, const real* row) { return Vector::load(row + i * plane + x); };
    const auto at_ends = [&](int i, int x, const real* row) { return ladder::load_wrapped(row + i * plane, x, nx); };
    const int last = (nx - 1) / Vector::size * Vector::size;
    update_vector(0, at_ends);
    for (int x = Vector::size; x < last; x += Vector::size)
      update_vector(x, inside);
    if (last > 0) update_vector(last, at_ends);
    if constexpr (streams) streamed.finish();
    return sum(speeds);
  }

  const bool streams_;
  const int depth_;
  const typename Base::Layout rows_;
  ThreadArrays<real> between_;  // [(step - 1) * rows_.required_span_size() + rows_(i, x, y mod 3)]
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/openmp/15_owned", .traffic = d2q9::sweep_traffic, .make = ladder::make_solver<OnePass, Model>};
