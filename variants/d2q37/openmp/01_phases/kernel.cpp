// Idea:    threads: divide the columns; stream, bc and collide are phases between barriers, as in the publication
// Layout:  array of structures, f[x][y][41]: 37 populations, velocity, density, temperature; frames of 3 cells; two copies of
//          the lattice
// Traffic: stream and collide each read 37 values, fetch the 37 that they write, and write them
// Source:  Biferale et al., section 4, Figures 2 and 3, code version V1
// Bound:   arithmetic of the plain projection, compiled for one cell at a time
#include "variants/d2q37/openmp/phases.hpp"
#include "variants/d2q37/textbook.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {4 * 37 * real, 2 * 37 * real}; }

template <class real>
using Base = PhaseSolver<real, 1>;

template <class real>
class Phases final : public Base<real> {
  using Base<real>::case_, Base<real>::layout_, Base<real>::g_, Base<real>::before, Base<real>::after, Base<real>::frame;

 public:
  Phases(const Case& c, const ladder::Tuning&) : Base<real>(c) {
    for (int x = -frame; x < c.nx + frame; ++x)
      this->initialize(x);
  }

 private:
  /// Gathers the populations of columns [first, last) from f_ into g_.
  void stream(int first, int last) override {
    for (int x = first; x < last; ++x)
      for (int row = 0; row < layout_.rows(); ++row)
        for (int i = 0; i < q; ++i)
          *after(i, x, row) = *before(i, x - d2q37_cx[i], row - d2q37_cy[i]);
  }

  /// Collides the populations of g_ and writes them to f_.
  void collide() override {
#pragma omp for schedule(static)
    for (int x = 0; x < case_.nx; ++x)
      for (int row = 0; row < layout_.rows(); ++row) {
        real f[q];
        for (int i = 0; i < q; ++i)
          f[i] = *after(i, x, row);
        collide_textbook(f, static_cast<real>(case_.tau), static_cast<real>(case_.gravity), this->heat(x, row));
        for (int i = 0; i < q; ++i)
          *before(i, x, row) = f[i];
      }
  }
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "",
                                 .traffic = d2q37::traffic,
                                 .collision = "textbook",
                                 .make = ladder::make_solver<d2q37::Phases, d2q37::Model>};
