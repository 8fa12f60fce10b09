// Idea:    structure of arrays: neighbouring cells along x are updated in the lanes of a vector, walls a whole row at a time
// Layout:  structure of arrays, f[37][y][x], rows start at a cache line, directions padded, two lattices
// Traffic: 37 numbers read, 37 fetched that are written, 37 written
// Source:  Wellein, Zeiser, Hager, Donath, Computers & Fluids 35 (2006) 910; Biferale et al., section 5 (there on the GPU)
// Bound:   arithmetic of the plain projection
#include "backends/simd/vector.hpp"
#include "variants/d2q37/sources.hpp"
#include "variants/d2q37/textbook.hpp"
#include "variants/lattice/processor.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {2 * 37 * real, 37 * real}; }

template <class real>
using Base = lattice::ProcessorSolver<Model, real, lattice::Aligned>;

template <class real>
class OnePass final : public Base<real> {
  using Base<real>::case_, Base<real>::layout_, Base<real>::f_, Base<real>::g_;
  using Vector = ladder::Vector<real>;

 public:
  OnePass(const Case& c, const ladder::Tuning&) : Base<real>(without_reaction(c)) {
#pragma omp parallel for schedule(static)
    for (int y = 0; y < c.ny; ++y)
      this->initialize(y);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
#pragma omp parallel for schedule(static)
      for (int y = 0; y < case_.ny; ++y) {
        const WallRow place = wall_row(y, bottom_, case_.ny);
        if (place.n >= 0)
          update_row(y, place, [&](Vector* f) {
            d2q37_wall(f, Vector(relaxation_.wall_speed), Vector(relaxation_.wall_theta[place.is_top ? 1 : 0]));
          });
        else
          update_row(y, place, [](Vector*) {});
      }
      this->turn();
    }
  }

 private:
  /// Gathers the populations of each vector of a row, sets them to those of a wall with bc(f), and collides them.
  template <class Bc>
  void update_row(int y, const WallRow& place, Bc bc) {
    const int nx = case_.nx;
    const real* from[q];  // column 0 of the rows that populations come from
    int west[q];          // columns that they move
    for (int i = 0; i < q; ++i) {
      const Source source = source_of(i, y, place, bottom_, case_.ny);
      from[i] = f_.data() + layout_(source.i, 0, source.y);
      west[i] = source.west;
    }
    real* to = g_.data() + layout_(0, 0, y);
    const std::int64_t stride = layout_.strides().q;
    const auto update_vector = [&](int x, auto pull) {
      Vector f[q];
      for (int i = 0; i < q; ++i)
        f[i] = pull(from[i], x - west[i]);
      bc(f);
      collide_textbook(f, Vector(case_.tau), Vector(case_.gravity), Vector(0));
      for (int i = 0; i < q; ++i)
        f[i].store_aligned(to + i * stride + x);
    };
    const auto inside = [](const real* row, int x) { return Vector::load(row + x); };
    // Lanes beyond either end of the row come from its other end; those after the last cell are never used.
    const auto at_ends = [nx](const real* row, int x) {
      real lanes[Vector::size];
      for (int lane = 0; lane < Vector::size; ++lane)
        lanes[lane] = row[lattice::wrapped(std::min(x + lane, nx + Lattice::reach - 1), nx)];
      return Vector::load(lanes);
    };
    for (int x = 0; x < nx; x += Vector::size)
      if (x < Lattice::reach || x + Vector::size + Lattice::reach > nx)
        update_vector(x, at_ends);
      else
        update_vector(x, inside);
  }

  const Relaxation<real> relaxation_ = case_.template relaxation<real>();
  const int bottom_ = case_.bottom_row();
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "d2q37/openmp/06_fused",
                                 .traffic = d2q37::traffic,
                                 .collision = "textbook",
                                 .make = ladder::make_solver<d2q37::OnePass, d2q37::Model>};
