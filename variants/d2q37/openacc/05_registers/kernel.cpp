// Idea:    the same text, compiled without moving addresses out of loops, which cost registers and gain nothing
// Layout:  structure of arrays, f[37][3 + nx + 3][pitch], columns along y; two copies of the lattice; a reaction adds gas[3]
// Traffic: stream and collide each read 37 numbers and write 37; comm does so for six columns, bc for six rows; a reaction
//          reads 40 more and writes 3
// Source:  none: the flags are -fno-tree-loop-im and others (CMakeLists.txt)
// Bound:   the double-precision pipe in collide, 1,110 multiply-adds per update; memory bandwidth in propagate
#include "variants/d2q37/openacc/phases.hpp"
#include "variants/d2q37/openacc/projection.hpp"

namespace d2q37 {
namespace {

/// Projects and relaxes the populations of `from`, and writes them to `to`.
template <class real>
void collide_cells(const real* from, real* to, const real* gas, const Framed& columns, const Relaxation<real>& relaxation,
                   const Heat<real>& heats) {
  const Framed c = columns;
  const Relaxation<real> r = relaxation;
  const Heat<real> heat = heats;
#pragma acc parallel loop gang num_workers(4) vector_length(32) deviceptr(from, to, gas) firstprivate(c, r, heat) async(1)
  for (int x = 0; x < c.nx; ++x)
#pragma acc loop worker vector
    for (int n = 0; n < c.ny; ++n) {
      const int cell = c.at(x, n);
      real f[q], m[moments];
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i)
        f[i] = from[i * c.slot + cell];
#pragma GCC unroll 15
      for (int k = 0; k < moments; ++k) {
        real sum = 0;
#pragma GCC unroll 37
        for (int i = q - 1; i >= 0; --i)
          sum += static_cast<real>(project(k, i)) * f[i];
        m[k] = sum;
      }
      // d2q37_relax() takes moments in cells per step.
#pragma GCC unroll 15
      for (int k = 0; k < moments; ++k)
        m[k] *= static_cast<real>(1 / unit(k));
      d2q37_relax(m, r.omega, r.kick, r.warm + heat(gas, c, x, n));
#pragma GCC unroll 15
      for (int k = 0; k < moments; ++k)
        m[k] *= static_cast<real>(unit(k));
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i) {
        real sum = 0;
#pragma GCC unroll 15
        for (int k = moments - 1; k >= 0; --k)
          sum += static_cast<real>(expand(i, k)) * m[k];
        to[i * c.slot + cell] = sum;
      }
    }
}

template <class real>
class Phases final : public PhaseSolver<real> {
 public:
  Phases(const Case& c, const ladder::Tuning&) : PhaseSolver<real>(c) {}

 private:
  void collide() override {
    collide_cells(this->g(), this->f(), this->gas_.data(), this->columns_, this->relaxation_, this->heat_);
  }
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "d2q37/openacc/04_constants",
                                 .traffic = d2q37::phase_traffic,
                                 .collision = "textbook",
                                 .make = ladder::make_solver<d2q37::Phases, d2q37::Model>};
