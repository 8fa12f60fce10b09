// Idea:    rows copied: a sweep copies each row of the lattice next to the rows between its steps and reads it from there
// Layout:  structure of arrays, f[9][y][x], padded; rows start at a cache line; two copies, three rows per step of a sweep
// Traffic: 9 values read and written and a flag read every six steps; below 40 rows per thread, every five or fewer steps
// Source:  this project; packing of tiles: Goto, van de Geijn, Anatomy of high-performance matrix multiplication, TOMS 2008
// Bound:   arithmetic, the bandwidth of the cache that holds the rows of all steps, and the latency of fetching a row
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
        rows_(c.nx),
        between_(depth_ * rows_.required_span_size()) {
#pragma omp parallel
    for (const int y : lattice::own_rows(c.ny))
      this->initialize_row(y);
  }

  void advance(std::int64_t steps) override {
    const std::size_t done = history_.size();
    history_.resize(done + static_cast<std::size_t>(steps));
#pragma omp parallel
    {
      Lattice from = this->from();
      Lattice to = this->to();
      for (std::int64_t step = 0; step < steps; step += depth_) {
        const int sweep = static_cast<int>(std::min<std::int64_t>(depth_, steps - step));
        update(from, to, sweep, &history_[done + step]);
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
  void update(const Lattice& from, const Lattice& to, int steps, double* history) {
    const auto [first, last] = lattice::own_rows(case_.ny);
    if (first == last) return;
    std::vector<Lattice> after;  // after[s]: the lattice after s steps of the sweep; after[0]: a copy of it
    for (int step = 0; step < steps; ++step)
      after.push_back({rows_after(step), rows_, 3});
    after.push_back(to);
    std::vector<double> speeds(static_cast<std::size_t>(steps));
    for (int front = first - steps; front < last + steps; ++front) {
      fetch_row(from, after[0], front);
      for (int step = 1, y = front - 1; step <= steps && first - (steps - step) <= y; ++step, --y) {
        const Lattice &before = after[step - 1], &next = after[step];
        const real of_row = step == steps && streams_ ? update_row<true>(before, next, y) : update_row<false>(before, next, y);
        if (first <= y && y < last) speeds[step - 1] += of_row;
        if (step < steps) this->accelerate(next, y);
      }
    }
    for (int step = 0; step < steps; ++step)
#pragma omp atomic
      history[step] += speeds[step] / static_cast<double>(fluid_cells_);
  }

  /// Returns the rows that this thread keeps after a step; for step 0, copies of the lattice's rows.
  real* rows_after(int step) { return between_.own() + step * rows_.required_span_size(); }

  /// Copies row y, and accelerates it if it is the driven row.
  void fetch_row(const Lattice& from, const Lattice& to, int y) const {
    const real* source = &from(0, 0, y);
    real* target = &to(0, 0, y);
    for (int i = 0; i < q; ++i, source += from.layout.strides().q, target += to.layout.strides().q)
      for (int x = 0; x < layout_.columns(); x += Vector::size)
        Vector::load_aligned(source + x).store_aligned(target + x);
    this->accelerate(to, y);
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
  const ApartRows<real> rows_;
  ThreadArrays<real> between_;  // [step * rows_.required_span_size() + …]: the rows after each step
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/openmp/10_apart", .traffic = d2q9::sweep_traffic, .make = ladder::make_solver<OnePass, Model>};
