// Idea:    flat: one loop over all cells, each with its own thread, instead of nested loops over columns and their cells
// Layout:  structure of arrays, f[37][nx][pitch], columns along y; two copies of the lattice
// Traffic: every population read once and written once: 37 values read, 37 written
// Source:  none; as in d2q37/cuda
// Bound:   memory bandwidth
#include "variants/d2q37/openacc/resident.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

/// Updates the rows at the walls: three at the bottom, three at the top.
template <int phase>
void update_walls(const Columns<0>&, int workers) {
#pragma acc parallel loop gang worker vector num_workers(workers) vector_length(32) async(1)
  for (int number = 0; number < WallCell::rows * arguments<phase>().c.nx; ++number) {
    const auto [from, to, c, r] = arguments<phase>();
    const WallCell cell(number, c);
    const Sources at(c, cell.x, cell.row());
    double f[q];
    stream_at_wall(from, c, at, cell.wall, cell.n, r, f);
    d2q37_collide(f, r.omega, r.kick, r.warm);
    store(f, c, at, to);
  }
}

/// Updates the rows between the walls.
template <int phase>
void update_rows(const Columns<0>& columns, int workers) {
  const int threads = 32 * workers, gangs = (columns.nx * columns.ny + threads - 1) / threads;
#pragma acc parallel loop gang worker vector collapse(2) num_gangs(gangs) num_workers(workers) vector_length(32) async(1)
  for (int x = 0; x < arguments<phase>().c.nx; ++x)
    for (int n = 0; n < arguments<phase>().c.ny; ++n) {
      const auto [from, to, c, r] = arguments<phase>();
      if (c.is_at_wall(n)) continue;
      const Sources at(c, x, n);
      double f[q];
      stream(from, c, at, f);
      d2q37_collide(f, r.omega, r.kick, r.warm);
      store(f, c, at, to);
    }
}

template <class real>
class Flat final : public ResidentSolver<real> {
 public:
  Flat(const Case& c, const ladder::Tuning& tuning)
      : ResidentSolver<real>(c, tuning, {update_walls<0>, update_rows<0>}, {update_walls<1>, update_rows<1>}) {}
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "d2q37/openacc/11_lines",
                                 .traffic = d2q37::traffic,
                                 .tunables = d2q37::worker_tunables(),
                                 .make = ladder::make_solver<d2q37::Flat, d2q37::Model>};
