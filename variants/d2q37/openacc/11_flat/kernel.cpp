// Idea:    one cell per thread: one loop over all cells instead of one over columns around one over their cells
// Layout:  structure of arrays, f[37][nx][pitch], columns along y; two copies of the lattice
// Traffic: every population read once and written once: 37 values read, 37 written
// Source:  none; as in d2q37/cuda
// Bound:   memory bandwidth
#include "variants/d2q37/openacc/resident.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

/// Number of gangs whose threads have a cell each.
int gangs(int cells, int workers) { return (cells + 32 * workers - 1) / (32 * workers); }

/// Updates the rows at the walls: three at the bottom, three at the top.
template <int phase>
void update_walls(const Columns<0>& columns, int workers) {
  const int gangs_used = gangs(WallCell::rows * columns.nx, workers);
#pragma acc parallel loop gang worker vector num_gangs(gangs_used) num_workers(workers) vector_length(32) async(1)
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
  const int gangs_used = gangs(columns.nx * (columns.last_inner_row() - columns.first_inner_row()), workers);
#pragma acc parallel loop gang worker vector collapse(2) num_gangs(gangs_used) num_workers(workers) vector_length(32) async(1)
  for (int x = 0; x < arguments<phase>().c.nx; ++x)
    for (int n = arguments<phase>().c.first_inner_row(); n < arguments<phase>().c.last_inner_row(); ++n) {
      const auto [from, to, c, r] = arguments<phase>();
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
      : ResidentSolver<real>(c, tuning.at("workers"), {update_walls<0>, update_rows<0>}, {update_walls<1>, update_rows<1>}) {}
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/openacc/10_resident",
    .traffic = d2q37::traffic,
    .tunables = {{.name = "workers", .meaning = "workers of 32 threads per gang", .values = {1, 2, 4, 8, 16}, .initial = 4}},
    .make = ladder::make_solver<d2q37::Flat, d2q37::Model>};
