// Idea:    published operation count: all 31 components of the Hermite tensors are computed, without using their symmetry
// Layout:  structure of arrays, f[37][y][x], rows aligned to cache lines, directions padded, two copies of the lattice
// Traffic: 37 values read, 37 fetched by write-allocate, 37 written
// Source:  Biferale et al., section 6, and Calore et al., section 2, count 7,800 and 7,600 operations; tensors.hpp
// Bound:   arithmetic, with three times as many multiply-adds as the plain projection
#include <memory>

#include "variants/d2q37/rows.hpp"
#include "variants/d2q37/tensors.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {2 * 37 * real, 37 * real}; }

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
  void update_row(int y, const WallRow& place, Bc bc) {
    const RowSources<real> from = this->sources(y, place);
    real* to = g_.data() + layout_(0, 0, y);
    const std::int64_t stride = layout_.strides().q;
    for_each_vector<Vector>(case_.nx, [&](int x, auto pull) {
      Vector f[q];
      for (int i = 0; i < q; ++i)
        f[i] = pull(from.row[i], x - from.west[i]);
      bc(f);
      collide_tensors(f, *table_, *table_, Vector(relaxation_.omega), Vector(relaxation_.kick), Vector(relaxation_.warm));
      for (int i = 0; i < q; ++i)
        f[i].store_aligned(to + i * stride + x);
    });
  }

  const std::unique_ptr<const Tensors> table_ = std::make_unique<const Tensors>(tensors());
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "d2q37/openmp/07_soa",
                                 .traffic = d2q37::traffic,
                                 .collision = "tensors",
                                 .make = ladder::make_solver<d2q37::OnePass, d2q37::Model>};
