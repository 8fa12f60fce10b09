// Idea:    collide v2: its loops are unrolled, the coefficients remain in memory
// Layout:  structure of arrays, f[37][3 + nx + 3][pitch], columns along y; two copies of the lattice; a reaction adds gas[3]
// Traffic: stream and collide each read 37 numbers and write 37; comm does so for six columns, bc for six rows; a reaction
//          reads 40 more and writes 3
// Source:  Calore et al., section 6; Table III, collide v2
// Bound:   registers: populations, coefficients and addresses need more than there are
#include "variants/d2q37/openacc/phases.hpp"

namespace d2q37 {
namespace {

/// Projects and relaxes the populations of `from`, and writes them to `to`: version v2, unrolled, with coefficients in memory.
template <class real>
void collide_cells(const real* from, real* to, const real* gas, const Framed& columns, const Relaxation<real>& relaxation,
                   const Heat<real>& heats, const Projection<real>* tables) {
  const Framed c = columns;
  const Relaxation<real> r = relaxation;
  const Heat<real> heat = heats;
#pragma acc parallel loop gang num_workers(4) vector_length(32) deviceptr(from, to, gas, tables) firstprivate(c, r, heat) \
    async(1)
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
          sum += tables->project[k][i] * f[i];
        m[k] = sum;
      }
      d2q37_relax(m, r.omega, r.kick, r.warm + heat(gas, c, x, n));
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i) {
        real sum = 0;
#pragma GCC unroll 15
        for (int k = moments - 1; k >= 0; --k)
          sum += tables->expand[i][k] * m[k];
        to[i * c.slot + cell] = sum;
      }
    }
}

template <class real>
class Phases final : public PhaseSolver<real> {
 public:
  Phases(const Case& c, const ladder::Tuning&) : PhaseSolver<real>(c) {
    const Projection<real> tables;
    tables_.write({&tables, 1});
  }

 private:
  void collide() override {
    collide_cells(this->g(), this->f(), this->gas_.data(), this->columns_, this->relaxation_, this->heat_, tables_.data());
  }

  Buffer<Projection<real>> tables_{this->device_, 1};
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "d2q37/openacc/01_phases",
                                 .traffic = d2q37::phase_traffic,
                                 .collision = "textbook",
                                 .make = ladder::make_solver<d2q37::Phases, d2q37::Model>};
