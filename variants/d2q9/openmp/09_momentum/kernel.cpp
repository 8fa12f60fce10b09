// Idea:    collision in terms of momentum: more of its factors depend on omega alone and are hoisted out of the loop over sites
// Layout:  structure of arrays, f[9][y][x], padded; rows start at a cache line; two copies, three rows of a tile per step
// Traffic: 9 values and a flag read, 9 values written every K steps; reads include two margins per tile
// Source:  Qian, d'Humieres, Lallemand, Europhys. Lett. 17 (1992) 479: the same equilibrium
// Bound:   the bandwidth between the first two caches and the latency of fetching a tile
#include "backends/simd/row_stream.hpp"
#include "roofline/model/bound.hpp"
#include "variants/d2q9/processor.hpp"
#include "variants/d2q9/tiles.hpp"
#include "variants/lattice/own_rows.hpp"

namespace d2q9 {
namespace {

/// Excludes the neighbours' rows that a thread also reads: they come from a cache that the threads share.
std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  const int steps = tuning.at("steps"), beside = margin(steps, ladder::vector_bytes / static_cast<int>(real));
  const double columns = 1 + 2.0 * beside / std::min(tuning.at("width"), c.nx);
  return {{(9 * real + 1) / steps * columns, 9 * real / steps}};
}

bool fits_no_cache(double bytes) { return ladder::residency(bytes, ladder::this_machine().caches) == ladder::main_memory; }

template <class L, class real>
using Layout = lattice::Aligned<L, real>;

template <class real>
class Tiles final : public PairSolver<real, Layout> {
  using Base = PairSolver<real, Layout>;
  using Vector = ladder::Vector<real>;
  using Base::case_, Base::fluid_cells_, Base::f_, Base::history_, Base::layout_;
  using typename Base::Lattice;

 public:
  Tiles(const Case& c, const ladder::Tuning& tuning)
      : Base(c),
        streams_(fits_no_cache(2.0 * f_.size() * sizeof(real))),
        depth_(tuning.at("steps")),
        width_(tuning.at("width")),
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
  /// Advances this thread's rows by `steps` steps, tile by tile.
  void update(const Lattice& from, const Lattice& to, int steps, double* history) {
    std::vector<double> speeds(static_cast<std::size_t>(steps));
    for (int tile = 0; tile < layout_.columns(); tile += width_)
      update_tile(from, to, tile, static_cast<int>(std::min<std::int64_t>(width_, layout_.columns() - tile)), speeds);
    for (int step = 0; step < steps; ++step)
#pragma omp atomic
      history[step] += speeds[step] / static_cast<double>(fluid_cells_);
  }

  /// Advances by one step per element of `speeds`, and adds each step's speeds to its element. As soon as a tile has row y of a
  /// step, the next step computes row y - 1. The thread also computes the rows around its own, and a tile the columns around
  /// its own, that its steps depend on; their owners compute them, too.
  void update_tile(const Lattice& from, const Lattice& to, int tile, int width, std::vector<double>& speeds) {
    const auto [first, last] = lattice::own_rows(case_.ny);
    if (first == last) return;
    const int steps = static_cast<int>(speeds.size());
    const std::int64_t plane = layout_.strides().q;
    for (int front = first - steps; front < last + steps; ++front) {
      // The steps share the work of prefetching the populations of the row after the next one.
      const real* const ahead = &from(0, tile, flags_.row(front + 2));
      fetch_row(from, rows_.row(rows_after(0), front), tile, width, front);
      for (int step = 1, y = front - 1; step <= steps && first - (steps - step) <= y; ++step, --y) {
        real* const before = rows_after(step - 1);
        const Ahead share = {ahead + (step - 1) * q / steps * plane, ahead + step * q / steps * plane};
        real* const target = step < steps ? rows_.row(rows_after(step), y) : &to(0, tile, flags_.row(y));
        const int beside = margin(steps - step, Vector::size);
        const real of_row = step < steps ? update_row<To::next_step>(before, target, share, tile, width, beside, y)
                            : streams_   ? update_row<To::memory>(before, target, share, tile, width, 0, y)
                                         : update_row<To::lattice>(before, target, share, tile, width, 0, y);
        if (first <= y && y < last) speeds[step - 1] += of_row;
        if (step < steps) accelerate_tile(case_, flags_, rows_, target, tile, width, y);
      }
    }
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

  /// Populations of a row that a thread will fetch soon, [first, last).
  struct Ahead {
    const real *first, *last;
  };

  /// Updates row y of a tile and `beside` columns on either side; returns the sum of the speeds of the tile's sites.
  template <To destination>
  [[gnu::flatten, gnu::noinline]] real update_row(real* before, real* target, const Ahead ahead, int tile, int width,
                                                  int beside, int y) {
    Vector factors[D2Q9_MOMENTUM_FACTORS];
    d2q9_momentum_factors(factors, Vector(case_.omega));
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
      for (const real* p = ahead.first; p < ahead.last; p += lattice_plane)
        __builtin_prefetch(p + x, 0, 2);
      Vector f[q];
      for (int i = 0; i < q; ++i)
        f[i] = pulled[i];
      const Vector speed = sqrt(d2q9_collide_momentum(f, factors));
      const auto write = [&](auto next) {
        if constexpr (destination == To::memory)
          streamed.write(x, next);
        else
          for (int i = 0; i < q; ++i)
            next(i).store_aligned(target + i * (destination == To::next_step ? plane : lattice_plane) + x);
      };
      Vector& total = speeds[x < 0 || x >= width];
      if (ladder::all_zero<Vector::size>(silent + x)) [[likely]] {
        total += speed;
        write([&](int i) { return f[i]; });
      } else {
        const auto rebounds = Vector::MaskType::from_bytes(solid + x);
        total += select(Vector::MaskType::from_bytes(silent + x), Vector(0), speed);
        write([&](int i) { return select(rebounds, pulled[d2q9_opposite[i]], f[i]); });
      }
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
    .follows = "d2q9/openmp/08_tiles",
    .traffic = traffic,
    .tunables = {{.name = "steps", .meaning = "steps per sweep", .values = {1, 2, 3, 4, 6, 8, 10, 12, 16}, .initial = 12},
                 {.name = "width", .meaning = "columns per tile", .values = {64, 128, 256, 512, 1024, 2048}, .initial = 512}},
    .constraints = {{"steps * width <= 16384 (rows in the second-level cache)",
                     [](const ladder::Tuning& t) { return t.at("steps") * t.at("width") <= 16384; }}},
    .collision = "momentum",
    .make = ladder::make_solver<Tiles, Model>};
