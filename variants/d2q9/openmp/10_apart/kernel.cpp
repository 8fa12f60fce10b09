// Idea:    rows apart: rows written between two steps lie in other parts of a page than the rows being read, so no load waits
// Layout:  structure of arrays, f[9][y][x], padded; rows start at a cache line; two copies, three rows per intermediate step
// Traffic: 9 values read and written and a flag read every six steps; below 40 rows per thread, every five or fewer steps
// Source:  this project; Intel 64 and IA-32 Optimization Reference Manual, "Capacity Limits and Aliasing in Caches"
// Bound:   arithmetic and cache bandwidth; threads recompute some rows of their neighbours
#include <omp.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "backends/simd/row_stream.hpp"
#include "roofline/model/bound.hpp"
#include "variants/d2q9/processor.hpp"
#include "variants/d2q9/tiles.hpp"

namespace d2q9 {
namespace {

/// Maximum steps per sweep; fewer are used if a thread has so few rows that its neighbours' extra rows would cost too much.
constexpr int most_steps = 6;

int depth(const Case& c) { return std::clamp(1 + c.ny / omp_get_max_threads() / 8, 1, most_steps); }

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning&) {
  return {{(9 * real + 1) / depth(c), 9 * real / depth(c)}};
}

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
        rows_(static_cast<int>(layout_.columns()), 0) {
    for (int thread = 0; thread < omp_get_max_threads(); ++thread)
      between_.emplace_back(static_cast<std::size_t>(depth_ * rows_.required_span_size()));
#pragma omp parallel
    {
      const auto [first, last] = my_rows();
      for (int y = first; y < last; ++y)
        this->initialize_row(y);
      between_[omp_get_thread_num()].poison();
    }
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
  /// Where an update writes: to rows that the next step reads, or to the lattice, either bypassing the caches or not.
  enum class To { next_step, memory, lattice };

  static constexpr real lanes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

  /// Returns the rows that this thread owns, [first, last).
  [[nodiscard]] std::pair<int, int> my_rows() const {
    const std::int64_t ny = case_.ny;
    const int thread = omp_get_thread_num();
    const int threads = omp_get_num_threads();
    return {static_cast<int>(ny * thread / threads), static_cast<int>(ny * (thread + 1) / threads)};
  }

  /// Advances this thread's rows by `steps` steps, each one row behind the previous step: as soon as a step has row y, the next
  /// one can compute row y - 1. The thread also computes the rows around its own that its steps depend on; their owners compute
  /// them, too. Threads therefore meet only once per sweep.
  void update(const Lattice& from, const Lattice& to, int steps, bool accelerate_next, double* history) {
    const auto [first, last] = my_rows();
    if (first == last) return;
    std::vector<double> speeds(static_cast<std::size_t>(steps));
    for (int front = first - (steps - 1); front < last + (steps - 1); ++front)
      for (int step = 1, y = front; step <= steps && first - (steps - step) <= y; ++step, --y) {
        const Source source = step == 1 ? in_lattice(from, y) : in_rows(rows_after(step - 1), y);
        real speeds_of_row;
        if (step < steps) {
          real* const target = rows_.row(rows_after(step), y);
          speeds_of_row = update_row<To::next_step>(source, target, y);
          accelerate_row(target, y);
        } else {
          real* const target = &to(0, 0, y);
          speeds_of_row = streams_ ? update_row<To::memory>(source, target, y) : update_row<To::lattice>(source, target, y);
          if (accelerate_next) this->accelerate(to, y);
        }
        if (first <= y && y < last) speeds[step - 1] += speeds_of_row;
      }
    for (int step = 0; step < steps; ++step)
#pragma omp atomic
      history[step] += speeds[step] / static_cast<double>(fluid_cells_);
  }

  /// Returns the rows that this thread keeps after a step, from step 1 on.
  real* rows_after(int step) { return between_[omp_get_thread_num()].data() + (step - 1) * rows_.required_span_size(); }

  /// Returns the obstacles of row y.
  const std::uint8_t* solid_row(int y) const { return solid_.data() + layout_.cell(0, (y + case_.ny) % case_.ny); }

  /// Accelerates row y if it is the driven row.
  void accelerate_row(real* row, int y) const {
    if ((y + case_.ny) % case_.ny == case_.accelerated_row())
      accelerate_columns(case_, solid_row(y), row, rows_.plane(), 0, case_.nx);
  }

  /// The rows that an update reads, and the distance from one population to the next, in elements.
  struct Source {
    const real *south, *here, *north;
    std::int64_t plane;
  };
  Source in_lattice(const Lattice& lattice, int y) const {
    return {&lattice(0, 0, y - 1), &lattice(0, 0, y), &lattice(0, 0, y + 1), layout_.strides().q};
  }
  Source in_rows(real* rows, int y) const {
    return {rows_.row(rows, y - 1), rows_.row(rows, y), rows_.row(rows, y + 1), rows_.plane()};
  }

  /// Updates row y; returns the sum of its sites' speeds.
  template <To destination>
  [[gnu::flatten, gnu::noinline]] real update_row(const Source source, real* target, int y) {
    const int nx = case_.nx;
    const Vector omega = case_.omega;
    const std::uint8_t* solid = solid_row(y);
    const real *const south = source.south, *const here = source.here, *const north = source.north;
    const std::int64_t target_plane = destination == To::next_step ? rows_.plane() : layout_.strides().q;
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
      if constexpr (destination == To::memory)
        streamed.write(x, next);
      else
        for (int i = 0; i < q; ++i)
          next(i).store_aligned(target + i * target_plane + x);
    };
    const auto inside = [&](int i, int x, const real* row) { return Vector::load(row + i * source.plane + x); };
    // Lanes beyond either end of the row take values from its other end; those after the last site are never used.
    const auto at_ends = [&](int i, int x, const real* row) {
      const Vector lane = Vector::load(lanes);
      const Vector east = select(lane == Vector(nx - x), Vector(row[i * source.plane]), inside(i, x, row));
      return select(lane == Vector(-1 - x), Vector(row[i * source.plane + nx - 1]), east);
    };
    const int last = (nx - 1) / Vector::size * Vector::size;
    update_vector(0, at_ends);
    for (int x = Vector::size; x < last; x += Vector::size)
      update_vector(x, inside);
    if (last > 0) update_vector(last, at_ends);
    if constexpr (destination == To::memory) streamed.finish();
    return sum(speeds);
  }

  const bool streams_;
  const int depth_;
  const TileRows<real> rows_;
  std::vector<ladder::Array<real>> between_;  // [thread][(step - 1) * rows_.required_span_size() + …]: the rows after each step
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/openmp/07_blocked", .traffic = traffic, .make = ladder::make_solver<OnePass, Model>};
