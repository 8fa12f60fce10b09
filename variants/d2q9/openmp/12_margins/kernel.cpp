// Idea:    margins: a thread copies each row with images of its other end on both sides, so that no vector is a special case
// Layout:  structure of arrays, f[9][y][x], padded; rows start at a cache line; two copies, three rows per step of a sweep
// Traffic: 9 values read and written and a flag read every six steps; below 40 rows per thread, every five or fewer steps
// Source:  this project
// Bound:   arithmetic, the bandwidth of the cache that holds the rows of all steps, and the latency of fetching a row
#include "backends/simd/row_stream.hpp"
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
  using Base::case_, Base::fluid_cells_, Base::f_, Base::history_, Base::layout_;
  using typename Base::Lattice;

 public:
  OnePass(const Case& c, const ladder::Tuning&)
      : Base(c),
        streams_(fits_no_cache(2.0 * f_.size() * sizeof(real))),
        depth_(depth(c)),
        width_(static_cast<int>(layout_.columns())),
        flags_(c, layout_.columns(), margin(depth_, Vector::size)),
        rows_(width_, margin(depth_, Vector::size)),
        between_(depth_ * rows_.required_span_size()) {
#pragma omp parallel
    for (const int y : lattice::own_rows(c.ny)) {
      this->initialize(y);
      flags_.initialize_row(y);
    }
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
    const int tile = 0, width = width_;  // one tile, as wide as the lattice
    std::vector<double> speeds(static_cast<std::size_t>(steps));
    for (int front = first - steps; front < last + steps; ++front) {
      fetch_row(from, rows_.row(rows_after(0), front), tile, width, front);
      for (int step = 1, y = front - 1; step <= steps && first - (steps - step) <= y; ++step, --y) {
        real* const before = rows_after(step - 1);
        real* const target = step < steps ? rows_.row(rows_after(step), y) : &to(0, tile, flags_.row(y));
        const int beside = margin(steps - step, Vector::size);
        const real of_row = step < steps ? update_row<To::next_step>(before, target, tile, width, beside, y)
                            : streams_   ? update_row<To::memory>(before, target, tile, width, 0, y)
                                         : update_row<To::lattice>(before, target, tile, width, 0, y);
        if (first <= y && y < last) speeds[step - 1] += of_row;
        if (step < steps) accelerate_tile(case_, flags_, rows_, target, tile, width, y);
      }
    }
    for (int step = 0; step < steps; ++step)
#pragma omp atomic
      history[step] += speeds[step] / static_cast<double>(fluid_cells_);
  }

  /// Returns the rows that this thread keeps after a step; for step 0, copies of the lattice's rows.
  real* rows_after(int step) { return between_.own() + step * rows_.required_span_size(); }

  /// Copies row y of a tile and its margins, which may lie beyond the lattice, and accelerates it if it is the driven row.
  void fetch_row(const Lattice& from, real* row, int tile, int width, int y) const {
    const real* source = &from(0, 0, flags_.row(y));
    real* target = row;
    for (int i = 0; i < q; ++i, source += layout_.strides().q, target += rows_.plane())
      for (int x = -rows_.margin(); x < width + rows_.margin(); x += Vector::size)
        if (tile + x >= 0 && tile + x + Vector::size <= case_.nx)
          Vector::load_aligned(source + tile + x).store_aligned(target + x);
        else
          for (int lane = x; lane < x + Vector::size; ++lane)
            target[lane] = source[flags_.column(tile + lane)];
    accelerate_tile(case_, flags_, rows_, row, tile, width, y);
  }

  /// Updates row y of a tile and `beside` columns on either side; returns the sum of the speeds of the tile's sites.
  template <To destination>
  [[gnu::flatten, gnu::noinline]] real update_row(real* before, real* target, int tile, int width, int beside, int y) {
    const Vector omega = case_.omega;
    const std::uint8_t *solid = flags_.solid(tile, y), *silent = flags_.silent(tile, y);
    const real *south = rows_.row(before, y - 1), *here = rows_.row(before, y), *north = rows_.row(before, y + 1);
    const std::int64_t plane = rows_.plane(), lattice_plane = layout_.strides().q;
    Vector speeds[] = {0, 0};  // of the tile; of its margins
    ladder::RowStream<real, q> streamed(target, lattice_plane);
    for (std::int64_t x = -beside; x < width + beside; x += Vector::size) {
      const auto pull = [&](int i, std::int64_t at, const real* row) { return Vector::load(row + i * plane + at); };
      const Vector pulled[q] = {pull(0, x, here),      pull(1, x - 1, here),  pull(2, x, south),
                                pull(3, x + 1, here),  pull(4, x, north),     pull(5, x - 1, south),
                                pull(6, x + 1, south), pull(7, x + 1, north), pull(8, x - 1, north)};
      Vector f[q];
      for (int i = 0; i < q; ++i)
        f[i] = pulled[i];
      const auto rebounds = Vector::MaskType::from_bytes(solid + x);
      speeds[x < 0 || x >= width] += select(Vector::MaskType::from_bytes(silent + x), Vector(0), sqrt(d2q9_collide(f, omega)));
      const auto next = [&](int i) { return select(rebounds, pulled[d2q9_opposite[i]], f[i]); };
      if constexpr (destination == To::memory)
        streamed.write(x, next);
      else
        for (int i = 0; i < q; ++i)
          next(i).store_aligned(target + i * (destination == To::next_step ? plane : lattice_plane) + x);
    }
    if constexpr (destination == To::memory) streamed.finish();
    return sum(speeds[0]);
  }

  const bool streams_;
  const int depth_, width_;
  TileFlags flags_;
  const TileRows<real> rows_;
  ThreadArrays<real> between_;  // [step * rows_.required_span_size() + …]: the rows after each step
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/openmp/11_copied", .traffic = d2q9::sweep_traffic, .make = ladder::make_solver<OnePass, Model>};
