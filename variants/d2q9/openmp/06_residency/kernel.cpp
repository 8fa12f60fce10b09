// Idea:    residency: streaming stores only if the lattices fit in no cache
// Layout:  structure of arrays, f[9][y][x], rows start at a cache line, planes padded, two copies
// Traffic: 9 values and a flag read, 9 values written, in memory or in the cache that holds the lattice
// Source:  Waugh, section XI (which memory a lattice lives in)
// Bound:   memory bandwidth, or the bandwidth of the cache that holds the lattices
#include "backends/simd/row_stream.hpp"
#include "backends/simd/wrapped.hpp"
#include "roofline/model/bound.hpp"
#include "variants/d2q9/processor.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

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
  OnePass(const Case& c, const ladder::Tuning&) : Base(c), streams_(fits_no_cache(2.0 * f_.size() * sizeof(real))) {
#pragma omp parallel for schedule(static)
    for (int y = 0; y < c.ny; ++y)
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
      for (std::int64_t step = 0; step < steps; ++step) {
        update(from, to, step + 1 < steps, &history_[done + step]);
        std::swap(from, to);
#pragma omp barrier
      }
    }
    if (steps % 2 == 1) this->swap_lattices();
  }

 private:
  /// Advances this thread's rows by one step, and accelerates the driven row for the next step while it is in the cache.
  void update(const Lattice& from, const Lattice& to, bool accelerate_next, double* history) {
    double speeds = 0;
#pragma omp for schedule(static) nowait
    for (int y = 0; y < case_.ny; ++y) {
      speeds += streams_ ? update_row<true>(from, to, y) : update_row<false>(from, to, y);
      if (accelerate_next) this->accelerate(to, y);
    }
#pragma omp atomic
    *history += speeds / static_cast<double>(fluid_cells_);
  }

  // `flatten` is needed: with two instances of this function, GCC would no longer inline its callees, and would recompute every
  // address, at half the speed.
  template <bool streams>
  [[gnu::flatten]] real update_row(Lattice from, Lattice to, int y) {
    const int nx = case_.nx;
    const Vector omega = case_.omega;
    const std::uint8_t* solid = solid_.data() + layout_.cell(0, y);
    Vector speeds = 0;
    ladder::RowStream<real, q> streamed(&to(0, 0, y), to.layout.strides().q);
    const auto update_vector = [&](int x, auto pull) {
      const Vector pulled[q] = {pull(0, x, y),         pull(1, x - 1, y),     pull(2, x, y - 1),
                                pull(3, x + 1, y),     pull(4, x, y + 1),     pull(5, x - 1, y - 1),
                                pull(6, x + 1, y - 1), pull(7, x + 1, y + 1), pull(8, x - 1, y + 1)};
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
          next(i).store_aligned(&to(i, x, y));
    };
    const auto inside = [&](int i, int x, int row) { return Vector::load(&from(i, x, row)); };
    const auto at_ends = [&](int i, int x, int row) { return ladder::load_wrapped(&from(i, 0, row), x, nx); };
    const int last = (nx - 1) / Vector::size * Vector::size;
    update_vector(0, at_ends);
    for (int x = Vector::size; x < last; x += Vector::size)
      update_vector(x, inside);
    if (last > 0) update_vector(last, at_ends);
    if constexpr (streams) streamed.finish();
    return sum(speeds);
  }

  const bool streams_;
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/openmp/05_region", .traffic = traffic, .make = ladder::make_solver<OnePass, Model>};
