// Idea:    sources once: a cell wraps seven columns and seven rows, instead of a column and a row per population
// Layout:  structure of arrays, f[37][nx][pitch], columns along y; two copies of the lattice
// Traffic: every population read once and written once: 37 values read, 37 written
// Source:  none; as in d2q37/cuda
// Bound:   memory bandwidth
#include "variants/d2q37/openacc/fused.hpp"
#include "variants/d2q37/openacc/sources.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

/// Updates the rows at the walls: three at the bottom, three at the top.
template <class real>
void update_walls(const real* from, real* to, const Columns<0>& columns, const Relaxation<real>& relaxation) {
  const Columns<0> c = columns;
  const Relaxation<real> r = relaxation;
#pragma acc parallel loop gang worker vector num_workers(4) vector_length(32) deviceptr(from, to) firstprivate(c, r) async(1)
  for (int number = 0; number < WallCell::rows * c.nx; ++number) {
    const WallCell cell(number, c);
    const Sources at(c, cell.x, cell.row());
    real f[q];
    stream_at_wall(from, c, at, cell.wall, cell.n, r, f);
    d2q37_collide(f, r.omega, r.kick, r.warm);
    store(f, c, at, to);
  }
}

/// Updates rows [first, last), which are between the walls.
template <class real>
void update_rows(const real* from, real* to, const Columns<0>& columns, const Relaxation<real>& relaxation, int first,
                 int last) {
  const Columns<0> c = columns;
  const Relaxation<real> r = relaxation;
#pragma acc parallel loop gang num_workers(4) vector_length(32) deviceptr(from, to) firstprivate(c, r) async(1)
  for (int x = 0; x < c.nx; ++x)
#pragma acc loop worker vector
    for (int n = first; n < last; ++n) {
      const Sources at(c, x, n);
      real f[q];
      stream(from, c, at, f);
      d2q37_collide(f, r.omega, r.kick, r.warm);
      store(f, c, at, to);
    }
}

template <class real>
class Fused final : public FusedSolver<real> {
 public:
  Fused(const Case& c, const ladder::Tuning&) : FusedSolver<real>(c, update_walls<real>, update_rows<real>) {}
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/openacc/07_factored", .traffic = d2q37::traffic, .make = ladder::make_solver<d2q37::Fused, d2q37::Model>};
