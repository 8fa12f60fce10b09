// Idea:    sources once: a cell wraps seven columns and seven rows, not a column and a row for each population
// Layout:  structure of arrays, f[37][nx][pitch], columns along y; two copies of the lattice
// Traffic: every population read once and written once: 37 values read, 37 written
// Source:  none; as in d2q37/cuda
// Bound:   memory bandwidth
#include "variants/d2q37/openacc/fused.hpp"
#include "variants/d2q37/openacc/sources.hpp"

namespace d2q37 {
namespace {

constexpr int frame = 0;

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

/// Updates the rows at the walls: three at the bottom, three at the top.
template <class real>
void update_walls(const real* from, real* to, const Columns<frame>& columns, const Relaxation<real>& relaxation) {
  const Columns<frame> c = columns;
  const Relaxation<real> r = relaxation;
#pragma acc parallel loop gang worker vector collapse(2) num_workers(4) vector_length(32) deviceptr(from, to) \
    firstprivate(c, r) async(1)
  for (int x = 0; x < c.nx; ++x)
    for (int row = 0; row < 2 * Case::wall_rows; ++row) {
      const bool is_top = row >= Case::wall_rows;
      const Wall wall = wall_of(is_top, 0, c.ny);
      const int n = is_top ? row - Case::wall_rows : row;  // counted from the wall
      const Sources at(c, x, wall.first + n * wall.inward);
      real f[q];
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i) {
        const bool turns = wall.turns(i, n);
        const int source = wall.first + wall.source(i, n) * wall.inward;
        const int cell = turns ? at.column[D2Q37_REACH] + Sources::place(c, source) : at(i);
        f[i] = from[(turns ? opposite(i) : i) * c.slot + cell];
      }
      d2q37_wall(f, r.wall_speed, is_top ? r.wall_theta[1] : r.wall_theta[0]);
      d2q37_collide(f, r.omega, r.kick, r.warm);
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i)
        to[i * c.slot + at.own()] = f[i];
    }
}

/// Updates rows [first, last), which are between the walls.
template <class real>
void update_rows(const real* from, real* to, const Columns<frame>& columns, const Relaxation<real>& relaxation, int first,
                 int last) {
  const Columns<frame> c = columns;
  const Relaxation<real> r = relaxation;
#pragma acc parallel loop gang num_workers(4) vector_length(32) deviceptr(from, to) firstprivate(c, r) async(1)
  for (int x = 0; x < c.nx; ++x)
#pragma acc loop worker vector
    for (int n = first; n < last; ++n) {
      const Sources at(c, x, n);
      real f[q];
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i)
        f[i] = from[i * c.slot + at(i)];
      d2q37_collide(f, r.omega, r.kick, r.warm);
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i)
        to[i * c.slot + at.own()] = f[i];
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
