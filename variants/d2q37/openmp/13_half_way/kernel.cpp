// Idea:    half-way walls: populations arrive from mirror images of the rows at a wall, which are computed first
// Layout:  structure of arrays, f[37][y][x], rows aligned to cache lines, directions padded, two copies of the lattice; images
//          f[6][37][x] of three rows at each wall
// Traffic: 37 values read, 37 written; at each wall, 26 more per column written and read
// Source:  Guo, Zheng, Shi, Chinese Phys. 11 (2002) 366; Tiwari, Vanka, Int. J. Numer. Meth. Fluids 69 (2012) 481; half_way.hpp
// Bound:   memory bandwidth
#include "backends/simd/row_stream.hpp"
#include "variants/d2q37/half_way.hpp"
#include "variants/d2q37/rows.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

template <class real>
class OnePass final : public RowSolver<real> {
  using Base = RowSolver<real>;
  using Base::case_, Base::layout_, Base::f_, Base::g_, Base::relaxation_, Base::bottom_;
  using Vector = ladder::Vector<real>;

 public:
  OnePass(const Case& c, const ladder::Tuning&)
      : Base(with_pinned_rows(without_reaction(c))),
        is_half_way_(has_half_way_walls(c)),
        mirrors_(c),
        images_(is_half_way_ ? image_size(layout_.columns()) : 0) {
#pragma omp parallel for schedule(static)
    for (int y = 0; y < c.ny; ++y)
      this->initialize(y);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      if (is_half_way_ && bottom_ >= 0) {
#pragma omp parallel for schedule(static)
        for (int x = 0; x < case_.nx; x += Vector::size)
          for (const bool is_top : {false, true})
            reflect(wall_of(is_top, bottom_, case_.ny), x);
      }
#pragma omp parallel for schedule(static)
      for (int y = 0; y < case_.ny; ++y)
        if (is_half_way_)
          update_row(y, wall_row(y, bottom_, case_.ny), [](Vector*) {});
        else
          this->with_wall(y, [&](const WallRow& place, auto bc) { update_row(y, place, bc); });
      this->swap_lattices();
    }
  }

 private:
  /// Population i of column 0 of the image of the n-th row from a wall.
  real* image(bool is_top, int i, int n) { return images_.data() + image_row(is_top, i, n) * layout_.columns(); }

  [[gnu::flatten]] void reflect(const Wall& wall, int x) {
    reflect_column<Vector>(
        mirrors_.of[wall.is_top ? 1 : 0], wall.inward,
        [&](int i, int n) { return Vector::load_aligned(f_.data() + layout_(i, x, wall.row(n, case_.ny))); },
        [&](int i, int n, const Vector& f) { f.store_aligned(image(wall.is_top, i, n) + x); });
  }

  /// Sources of a row; between half-way walls, images replace rows beyond the walls.
  RowSources<real> sources(int y, const WallRow& place) {
    RowSources<real> from = Base::sources(y, place);
    if (!is_half_way_ || place.n < 0) return from;
    const Wall wall = wall_of(place.is_top, bottom_, case_.ny);
    for (int i = 0; i < q; ++i)
      if (wall.turns(i, place.n)) {
        from.row[i] = image(place.is_top, i, wall.source(i, place.n));
        from.west[i] = d2q37_cx[i];
      }
    return from;
  }

  /// Gathers the populations of each vector in a row, applies a pinned wall's state with bc(f), and collides them.
  template <class Bc>
  [[gnu::flatten]] void update_row(int y, const WallRow& place, Bc bc) {
    const RowSources<real> from = sources(y, place);
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

  const bool is_half_way_;
  const Mirrors<real> mirrors_;
  ladder::Array<real> images_;  ///< [wall][row from the wall][i][x]; empty without half-way walls
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "d2q37/openmp/09_streaming",
                                 .traffic = d2q37::traffic,
                                 .make = ladder::make_solver<d2q37::OnePass, d2q37::Model>};
