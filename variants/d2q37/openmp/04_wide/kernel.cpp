// Idea:    wide vectors: as many cells as the machine's vectors hold, ny/4 or ny/8 apart
// Layout:  array of structures of vectors, f[x][y][41][lanes], frames of 3 cells, two copies of the lattice
// Traffic: stream and collide each read 37 values, fetch the 37 that they write, and write them
// Source:  Biferale et al., section 4, with wider vectors
// Bound:   memory bandwidth: stream and collide each move all populations
#include "backends/simd/vector.hpp"
#include "variants/d2q37/openmp/phases.hpp"
#include "variants/d2q37/textbook.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {4 * 37 * real, 2 * 37 * real}; }

template <class real>
using Base = PhaseSolver<real, ladder::Vector<real>::size, ByColumn>;

template <class real>
class Phases final : public Base<real> {
  using Base<real>::case_, Base<real>::layout_, Base<real>::g_, Base<real>::before, Base<real>::after, Base<real>::frame;
  using Vector = ladder::Vector<real>;

 public:
  Phases(const Case& c, const ladder::Tuning&) : Base<real>(c) {
    for (int x = -frame; x < c.nx + frame; ++x)
      this->initialize(x);
  }

 private:
  Vector arriving(int i, int x, int row) { return Vector::load_aligned(before(i, x - d2q37_cx[i], row - d2q37_cy[i])); }

  /// Gathers the populations of columns [first, last) from f_ into g_.
  void stream(int first, int last) override {
    for (int x = first; x < last; ++x)
      for (int row = 0; row < layout_.rows(); ++row)
        for (int i = 0; i < q; ++i)
          arriving(i, x, row).store_aligned(after(i, x, row));
  }

  /// Collides the populations of g_ and writes them to f_.
  void collide() override {
#pragma omp for schedule(static)
    for (int x = 0; x < case_.nx; ++x)
      for (int row = 0; row < layout_.rows(); ++row)
        collide(x, row);
  }

  void collide(int x, int row) {
    Vector f[q];
    for (int i = 0; i < q; ++i)
      f[i] = Vector::load_aligned(after(i, x, row));
    collide_textbook(f, Vector(case_.tau), Vector(case_.gravity), this->heat(x, row));
    for (int i = 0; i < q; ++i)
      f[i].store_aligned(before(i, x, row));
  }
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "d2q37/openmp/03_relabelled",
                                 .traffic = d2q37::traffic,
                                 .collision = "textbook",
                                 .make = ladder::make_solver<d2q37::Phases, d2q37::Model>};
