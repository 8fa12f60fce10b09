// Idea:    stream and collide fused (V2): the rows at the walls stream, get their state and collide first, then all others
// Layout:  array of structures of vectors, f[x][y][41][lanes], frames of 3 cells, two copies of the lattice
// Traffic: 37 values read, 37 fetched by write-allocate, 37 written
// Source:  Biferale et al., sections 3 and 6, code version V2
// Bound:   arithmetic of the plain projection
#include "backends/simd/vector.hpp"
#include "variants/d2q37/openmp/phases.hpp"
#include "variants/d2q37/textbook.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {2 * 37 * real, 37 * real}; }

template <class real>
using Base = FusedSolver<real, ladder::Vector<real>::size, ByColumn>;

template <class real>
class Phases final : public Base<real> {
  using Base<real>::case_, Base<real>::layout_, Base<real>::g_, Base<real>::before, Base<real>::after, Base<real>::frame;
  using Vector = ladder::Vector<real>;

 public:
  Phases(const Case& c, const ladder::Tuning&) : Base<real>(c) {
#pragma omp parallel for schedule(static)
    for (int x = 0; x < c.nx; ++x) {
      this->initialize(x);
      if (x == 0 || x == c.nx - 1)
        for (int n = 1; n <= frame; ++n)
          this->initialize(x == 0 ? -n : x + n);
    }
  }

 private:
  Vector arriving(int i, int x, int row) { return Vector::load_aligned(before(i, x - d2q37_cx[i], row - d2q37_cy[i])); }

  /// Gathers the populations of the rows at the walls from f_ into g_.
  void stream_rows() override {
#pragma omp for schedule(static)
    for (int x = 0; x < case_.nx; ++x)
      for (const int row : this->wall_rows_)
        for (int i = 0; i < q; ++i)
          arriving(i, x, row).store_aligned(after(i, x, row));
  }

  /// Sets the rows at the walls and collides them.
  void bc_collide_rows() override {
#pragma omp for schedule(static)
    for (int x = 0; x < case_.nx; ++x) {
      this->bc(x);
      for (const int row : this->wall_rows_)
        collide(x, row, [&](int i) { return Vector::load_aligned(after(i, x, row)); });
    }
  }

  /// Gathers and collides the other rows.
  void bulk() override {
#pragma omp for schedule(static)
    for (int x = 0; x < case_.nx; ++x)
      for (const int row : this->other_rows_)
        collide(x, row, [&](int i) { return arriving(i, x, row); });
#pragma omp single
    this->f_.swap(g_);
  }

  /// Collides the populations `population(i)` of a vector of cells and writes them to g_.
  template <class Population>
  void collide(int x, int row, Population population) {
    Vector f[q];
    for (int i = 0; i < q; ++i)
      f[i] = population(i);
    collide_textbook(f, Vector(case_.tau), Vector(case_.gravity), Vector(0));
    for (int i = 0; i < q; ++i)
      f[i].store_aligned(after(i, x, row));
  }
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "d2q37/openmp/05_first_touch",
                                 .traffic = d2q37::traffic,
                                 .collision = "textbook",
                                 .make = ladder::make_solver<d2q37::Phases, d2q37::Model>};
