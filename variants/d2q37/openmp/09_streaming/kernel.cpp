// Idea:    streaming stores: lines bypass the caches on their way to memory and are not fetched before they are overwritten
// Layout:  structure of arrays, f[37][y][x], rows aligned to cache lines, directions padded, two copies of the lattice
// Traffic: 37 values read, 37 written
// Source:  Wellein, Zeiser, Hager, Donath, Computers & Fluids 35 (2006) 910
// Bound:   memory bandwidth
#include "backends/simd/row_stream.hpp"
#include "variants/d2q37/rows.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

template <class real>
class OnePass final : public RowSolver<real> {
  using Base = RowSolver<real>;
  using Base::case_, Base::layout_, Base::g_, Base::relaxation_;
  using Vector = ladder::Vector<real>;

 public:
  OnePass(const Case& c, const ladder::Tuning&) : Base(without_reaction(c)) {
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
  /// Gathers the populations of each vector in a row, applies the wall's state with bc(f), and collides them.
  template <class Bc>
  [[gnu::flatten]] void update_row(int y, const WallRow& place, Bc bc) {
    const RowSources<real> from = this->sources(y, place);
    ladder::RowStream<real, q> to(g_.data() + layout_(0, 0, y), layout_.strides().q);
    for_each_vector<Vector>(case_.nx, [&](int x, auto pull) {
      Vector f[q];
      for (int i = 0; i < q; ++i)
        f[i] = pull(from.row[i], x - from.west[i]);
      bc(f);
      d2q37_collide(f, Vector(relaxation_.omega), Vector(relaxation_.kick), Vector(relaxation_.warm));
      to.write(x, [&](int i) { return f[i]; });
    });
    to.finish();
  }
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "d2q37/openmp/08_factored",
                                 .traffic = d2q37::traffic,
                                 .make = ladder::make_solver<d2q37::OnePass, d2q37::Model>};
