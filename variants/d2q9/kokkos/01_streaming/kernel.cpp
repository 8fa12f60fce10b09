// Idea:    Kokkos: parallel_for and parallel_reduce over rows instead of OpenMP's loops
// Layout:  structure of arrays, f[9][y][x], rows start at a cache line, planes padded, two copies
// Traffic: 9 values and a flag read, 9 values written
// Source:  Edwards, Trott, Sunderland, J. Parallel Distrib. Comput. 74 (2014) 3202
// Bound:   memory bandwidth; of a single core if Serial is the only back end of Kokkos
#include "backends/kokkos/runtime.hpp"
#include "backends/simd/row_stream.hpp"
#include "backends/simd/wrapped.hpp"
#include "variants/d2q9/processor.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

template <class L, class real>
using Layout = lattice::Aligned<L, real>;

template <class real>
class OnePass final : public PairSolver<real, Layout> {
  using Base = PairSolver<real, Layout>;
  using Vector = ladder::Vector<real>;
  using Base::case_, Base::f_, Base::layout_, Base::solid_;
  using typename Base::Lattice;
  using Rows = Kokkos::RangePolicy<ladder::kokkos::Space, Kokkos::Schedule<Kokkos::Static>, Kokkos::IndexType<int>>;

 public:
  OnePass(const Case& c, const ladder::Tuning&) : Base(c) {
    ladder::kokkos::start();
    Kokkos::parallel_for(Rows(0, c.ny), [this](int y) { this->initialize_row(y); });
    Kokkos::fence();
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
    const auto update_one = [=, this](int y, double& sum) {
      sum += update_row(this->from(), this->to(), y);
      if (accelerate_next) this->accelerate(this->to(), y);
    };
    Kokkos::parallel_reduce(Rows(0, case_.ny), update_one, speeds);
    return speeds;
  }

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
      streamed.write(x, [&](int i) { return select(rebounds, pulled[d2q9_opposite[i]], f[i]); });
    };
    const auto inside = [&](int i, int x, int row) { return Vector::load(&from(i, x, row)); };
    const auto at_ends = [&](int i, int x, int row) { return ladder::load_wrapped(&from(i, 0, row), x, nx); };
    const int last = (nx - 1) / Vector::size * Vector::size;
    update_vector(0, at_ends);
    for (int x = Vector::size; x < last; x += Vector::size)
      update_vector(x, inside);
    if (last > 0) update_vector(last, at_ends);
    streamed.finish();
    return sum(speeds);
  }
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/openmp/04_streaming", .traffic = traffic, .make = ladder::make_solver<OnePass, Model>};
