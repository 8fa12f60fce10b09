// Idea:    resident arguments: loops read their arguments from a variable on the GPU, so that a launch allocates and copies
//          nothing
// Layout:  structure of arrays, f[37][nx][pitch], columns along y; two copies of the lattice
// Traffic: every population read once and written once: 37 values read, 37 written
// Source:  OpenACC 2.6, section 2.13: declare create
// Bound:   memory bandwidth
#include <type_traits>

#include "variants/d2q37/openacc/sources.hpp"
#include "variants/d2q37/textbook.hpp"
#include "variants/lattice/openacc/solver.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

/// Arguments of the loops.
struct Arguments {
  const double* from;
  double* to;
  Columns<0> c;
  Relaxation<double> r;
  int first, last;  ///< rows between the walls
};

/// A variable that starts without a value.
union Late {
  char nothing;
  Arguments value;

  constexpr Late() : nothing(0) {}
};

/// On the host and on the GPU: the arguments in even and odd steps.
Late shared[2];
#pragma acc declare create(shared)

/// In a loop: its arguments in this phase. A loop that names the variable itself would copy it.
template <int phase>
[[gnu::always_inline]] inline const Arguments& arguments() {
  return shared[phase].value;
}

/// Updates the rows at the walls: three at the bottom, three at the top.
template <int phase>
void update_walls(int columns) {
  constexpr int rows = 2 * Case::wall_rows;
#pragma acc parallel loop gang worker vector num_gangs((columns * rows + 127) / 128) num_workers(4) vector_length(32) async(1)
  for (int cell = 0; cell < rows * arguments<phase>().c.nx; ++cell) {
    const Columns<0> c = arguments<phase>().c;
    const Relaxation<double> r = arguments<phase>().r;
    const double* const from = arguments<phase>().from;
    double* const to = arguments<phase>().to;
    const int x = cell / rows, row = cell % rows;
    const bool is_top = row >= Case::wall_rows;
    const Wall wall = wall_of(is_top, 0, c.ny);
    const int n = is_top ? row - Case::wall_rows : row;  // counted from the wall
    const Sources at(c, x, wall.first + n * wall.inward);
    double f[q];
#pragma GCC unroll 37
    for (int i = 0; i < q; ++i) {
      const bool turns = wall.turns(i, n);
      const int source = wall.first + wall.source(i, n) * wall.inward;
      const int place = turns ? at.column[D2Q37_REACH] + Sources::place(c, source) : at(i);
      f[i] = from[(turns ? opposite(i) : i) * c.slot + place];
    }
    d2q37_wall(f, r.wall_speed, is_top ? r.wall_theta[1] : r.wall_theta[0]);
    d2q37_collide(f, r.omega, r.kick, r.warm);
#pragma GCC unroll 37
    for (int i = 0; i < q; ++i)
      to[i * c.slot + at.own()] = f[i];
  }
}

/// Updates the rows between the walls.
template <int phase>
void update_rows(int columns) {
#pragma acc parallel loop gang num_gangs(columns) num_workers(4) vector_length(32) async(1)
  for (int x = 0; x < arguments<phase>().c.nx; ++x) {
    const Columns<0> c = arguments<phase>().c;
    const double* const from = arguments<phase>().from;
    double* const to = arguments<phase>().to;
    const int first = arguments<phase>().first, last = arguments<phase>().last;
#pragma acc loop worker vector
    for (int n = first; n < last; ++n) {
      const Relaxation<double> r = arguments<phase>().r;
      const Sources at(c, x, n);
      double f[q];
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i)
        f[i] = from[i * c.slot + at(i)];
      d2q37_collide(f, r.omega, r.kick, r.warm);
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i)
        to[i * c.slot + at.own()] = f[i];
    }
  }
}

template <class real>
class Resident final : public lattice::openacc::Solver<Model, real> {
 public:
  static_assert(std::is_same_v<real, double>);

  Resident(const Case& c, const ladder::Tuning&) : Resident(without_reaction(c), Columns<0>(c, 128 / sizeof(real))) {}

  void advance(std::int64_t steps) override {
    write_arguments();
    for (std::int64_t step = 0; step < steps; ++step) {
      if (step % 2 == 0)
        update<0>();
      else
        update<1>();
      this->swap_lattices();
    }
  }

 private:
  Resident(const Case& c, const Columns<0>& columns)
      : lattice::openacc::Solver<Model, real>(c, columns.strides()), columns_(columns) {}

  /// Precedes the steps: another solver may have used the variable, or the lattices may have been swapped.
  void write_arguments() {
    const int first = columns_.first_inner_row(), last = columns_.last_inner_row();
    shared[0].value = {this->f(), this->g(), columns_, relaxation_, first, last};
    shared[1].value = {this->g(), this->f(), columns_, relaxation_, first, last};
#pragma acc update device(shared) async(1)
  }

  template <int phase>
  void update() {
    if (columns_.walls) update_walls<phase>(columns_.nx);
    update_rows<phase>(columns_.nx);
  }

  const Columns<0> columns_;
  const Relaxation<real> relaxation_ = this->case_.template relaxation<real>();
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "d2q37/openacc/09_sources",
                                 .traffic = d2q37::traffic,
                                 .make = ladder::make_solver<d2q37::Resident, d2q37::Model>};
