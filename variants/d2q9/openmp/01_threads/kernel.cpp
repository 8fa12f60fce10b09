// Idea:    threads: share the rows, and add their rows' speeds to the total one at a time
// Layout:  structure of arrays, f[9][y][x], rows start at a cache line, planes padded, two copies
// Traffic: 9 values read, 9 written after their lines are fetched; one flag read: 18 values and a byte read, 9 values written
// Source:  Waugh, section X (parallel)
// Bound:   memory bandwidth, including the lines that a write fetches first
#include "backends/simd/wrapped.hpp"
#include "variants/d2q9/processor.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {18 * real + 1, 9 * real}; }

template <class L, class real>
using Layout = lattice::Aligned<L, real>;

template <class real>
class OnePass final : public PairSolver<real, Layout> {
  using Base = PairSolver<real, Layout>;
  using Vector = ladder::Vector<real>;
  using Base::case_, Base::f_, Base::layout_, Base::solid_;
  using typename Base::Lattice;

 public:
  OnePass(const Case& c, const ladder::Tuning&) : Base(c) {
    for (int y = 0; y < c.ny; ++y)
      this->initialize_row(y);
  }

  void advance(std::int64_t steps) override {
    if (steps > 0) this->accelerate(this->from(), case_.accelerated_row());
    for (std::int64_t step = 1; step <= steps; ++step) {
      this->record(update(step < steps));
      this->swap_lattices();
    }
  }

 private:
  /// Advances all rows by one step, and accelerates the driven row for the next step while it is in the cache.
  double update(bool accelerate_next) {
    double speeds = 0;
#pragma omp parallel for schedule(static)
    for (int y = 0; y < case_.ny; ++y) {
      const double speeds_of_row = update_row(this->from(), this->to(), y);
#pragma omp critical
      speeds += speeds_of_row;
      if (accelerate_next) this->accelerate(this->to(), y);
    }
    return speeds;
  }

  real update_row(Lattice from, Lattice to, int y) {
    const int nx = case_.nx;
    const Vector omega = case_.omega;
    const std::uint8_t* solid = solid_.data() + layout_.cell(0, y);
    Vector speeds = 0;
    const auto update_vector = [&](int x, auto pull) {
      const Vector pulled[q] = {pull(0, x, y),         pull(1, x - 1, y),     pull(2, x, y - 1),
                                pull(3, x + 1, y),     pull(4, x, y + 1),     pull(5, x - 1, y - 1),
                                pull(6, x + 1, y - 1), pull(7, x + 1, y + 1), pull(8, x - 1, y + 1)};
      Vector f[q];
      for (int i = 0; i < q; ++i)
        f[i] = pulled[i];
      const auto rebounds = Vector::MaskType::from_bytes(solid + x);
      speeds += select(rebounds, Vector(0), sqrt(d2q9_collide(f, omega)));
      for (int i = 0; i < q; ++i)
        select(rebounds, pulled[d2q9_opposite[i]], f[i]).store_aligned(&to(i, x, y));
    };
    const auto inside = [&](int i, int x, int row) { return Vector::load(&from(i, x, row)); };
    const auto at_ends = [&](int i, int x, int row) { return ladder::load_wrapped(&from(i, 0, row), x, nx); };
    const int last = (nx - 1) / Vector::size * Vector::size;
    update_vector(0, at_ends);
    for (int x = Vector::size; x < last; x += Vector::size)
      update_vector(x, inside);
    if (last > 0) update_vector(last, at_ends);
    return sum(speeds);
  }
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/serial/08_vectorized", .traffic = traffic, .make = ladder::make_solver<OnePass, Model>};
