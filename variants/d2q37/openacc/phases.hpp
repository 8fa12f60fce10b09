#pragma once

#include <vector>

#include "harness/bench/phases.hpp"
#include "variants/d2q37/openacc/columns.hpp"
#include "variants/d2q37/textbook.hpp"
#include "variants/lattice/openacc/solver.hpp"

/// What the OpenACC rungs share whose steps consist of phases: the loops of Calore et al., section 4. Loops run on queue 1; the
/// rows at the top wall on queue 2, beside those at the bottom wall.
namespace d2q37 {

using ladder::openacc::Buffer;

inline constexpr int frame = D2Q37_REACH;
using Framed = Columns<frame>;

/// Copies the columns at both ends of the first `slots` slots of a lattice to its frames.
template <class real>
void copy_frames(real* f, const Framed& columns, int slots) {
  const Framed c = columns;
#pragma acc parallel loop gang collapse(2) num_workers(4) vector_length(32) deviceptr(f) firstprivate(c) async(1)
  for (int i = 0; i < slots; ++i)
    for (int k = 0; k < 2 * frame; ++k) {
      const int to = k < frame ? k - frame : c.nx + k - frame, from = k < frame ? to + c.nx : to - c.nx;
#pragma acc loop worker vector
      for (int n = 0; n < c.ny; ++n)
        f[i * c.slot + c.at(to, n)] = f[i * c.slot + c.at(from, n)];
    }
}

/// Propagate, version v1: gathers the populations that arrive in each cell, cell by cell.
template <class real>
void stream_cells(const real* from, real* to, const Framed& columns) {
  const Framed c = columns;
#pragma acc parallel loop gang num_workers(4) vector_length(32) deviceptr(from, to) firstprivate(c) async(1)
  for (int x = 0; x < c.nx; ++x)
#pragma acc loop worker vector
    for (int n = 0; n < c.ny; ++n) {
      const int cell = c.at(x, n);
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i)
        to[i * c.slot + cell] = from[i * c.slot + c.at(x - cx(i), n - cy(i))];
    }
}

/// Sets the three rows at one of the walls: `from` is the lattice before streaming, `to` after it.
template <class real>
void set_wall_rows(const real* from, real* to, const Framed& columns, const Relaxation<real>& relaxation, bool is_top,
                   int queue) {
  const Framed c = columns;
  const real speed = relaxation.wall_speed, theta = relaxation.wall_theta[is_top ? 1 : 0];
#pragma acc parallel loop gang worker vector collapse(2) num_workers(4) vector_length(32) deviceptr(from, to) firstprivate(c) \
    async(queue) wait(1)
  for (int x = 0; x < c.nx; ++x)
    for (int n = 0; n < Case::wall_rows; ++n) {
      const Wall wall = wall_of(is_top, 0, c.ny);
      const int cell = c.at(x, wall.row(n, c.ny));
      real f[q];
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i)
        f[i] =
            wall.turns(i, n) ? from[opposite(i) * c.slot + c.at(x, wall.row(wall.source(i, n), c.ny))] : to[i * c.slot + cell];
      d2q37_wall(f, speed, theta);
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i)
        to[i * c.slot + cell] = f[i];
    }
}

/// The gas as a reaction needs it, gas[3]: the velocity along x and y, in cells per step, and the temperature above s.
template <class real>
void compute_gas(const real* from, real* gas, const Framed& columns) {
  const Framed c = columns;
#pragma acc parallel loop gang num_workers(4) vector_length(32) deviceptr(from, gas) firstprivate(c) async(1)
  for (int x = 0; x < c.nx; ++x)
#pragma acc loop worker vector
    for (int n = 0; n < c.ny; ++n) {
      const int cell = c.at(x, n);
      real density = 0, momentum_x = 0, momentum_y = 0, energy = 0;
#pragma GCC unroll 37
      for (int i = q - 1; i >= 0; --i) {
        const real f = from[i * c.slot + cell];
        density += f;
        momentum_x += cx(i) * f;
        momentum_y += cy(i) * f;
        energy += (cx(i) * cx(i) + cy(i) * cy(i)) * f;
      }
      const real u = momentum_x / density, v = momentum_y / density;
      gas[cell] = u;
      gas[c.slot + cell] = v;
      gas[2 * c.slot + cell] = (energy / density - u * u - v * v) / 2 - static_cast<real>(D2Q37_S);
    }
}

/// What heats the gas.
template <class real>
struct Heat {
  Reaction<real> reaction;
  bool burns;
  real per_heat;  ///< what a heat of 1 per step adds to the argument `warm` of the collision

  /// What the reaction in the cell of column x and row n adds to `warm`; `gas` is that of compute_gas().
  [[gnu::always_inline]] real operator()(const real* gas, const Framed& c, int x, int n) const {
    if (!burns || c.is_at_wall(n)) return 0;
    const real *const u = gas, *const v = gas + c.slot, *const theta = gas + 2 * c.slot;
    const real divergence = (u[c.at(x + 1, n)] - u[c.at(x - 1, n)] + v[c.at(x, n + 1)] - v[c.at(x, n - 1)]) / 2;
    return per_heat * reaction.heat(1 + theta[c.at(x, n)] * static_cast<real>(1 / D2Q37_S), divergence);
  }
};

/// Coefficients of the projection and of the expansion, for moments as in collide.h.
template <class real>
struct Projection {
  real project[moments][q], expand[q][moments];

  Projection() {
    for (int k = 0; k < moments; ++k) {
      double factor = 1;  // a moment in the units of textbook.hpp over the same in cells and steps
      for (int n = 0; n < degrees(k).a + degrees(k).b; ++n)
        factor *= D2Q37_R;
      for (int i = 0; i < q; ++i) {
        project[k][i] = static_cast<real>(coefficients.project[k][i] / factor);
        expand[i][k] = static_cast<real>(coefficients.expand[i][k] * factor);
      }
    }
  }
};

/// Base of the solvers: the phases of a step. A rung adds stream(), from f() to g(), and collide(), back from g() to f().
template <class real>
class PhaseSolver : public lattice::openacc::Solver<Model, real>, public ladder::Phased {
 public:
  void advance(std::int64_t steps) override {
    const std::vector<ladder::Phase> all = phases();
    for (std::int64_t step = 0; step < steps; ++step)
      for (const ladder::Phase& phase : all)
        phase.run();
  }

  std::vector<ladder::Phase> phases() override {
    const bool burns = this->case_.is_reactive();
    std::vector<ladder::Phase> all = {
        {"comm", [this] { copy_frames(this->f(), columns_, q); }}, {"stream", [this] { stream(); }}, {"bc", [this] { bc(); }}};
    if (burns) {
      all.push_back({"gas", [this] { compute_gas(this->g(), gas_.data(), columns_); }});
      all.push_back({"comm2", [this] { copy_frames(gas_.data(), columns_, 2); }});
    }
    all.push_back({"collide", [this] { collide(); }});
    return all;
  }

 protected:
  explicit PhaseSolver(const Case& c) : PhaseSolver(c, Framed(c, 128 / sizeof(real))) {}

  virtual void stream() { stream_cells(this->f(), this->g(), columns_); }
  virtual void collide() = 0;

  const Framed columns_;
  const Relaxation<real> relaxation_ = this->case_.template relaxation<real>();
  const Heat<real> heat_{this->case_.template reaction<real>(), this->case_.is_reactive(),
                         static_cast<real>(this->case_.tau / (D2Q37_R * D2Q37_R))};
  Buffer<real> gas_;

 private:
  PhaseSolver(const Case& c, const Framed& columns)
      : lattice::openacc::Solver<Model, real>(c, columns.strides()),
        columns_(columns),
        gas_(this->device_, c.is_reactive() ? 3 * static_cast<std::size_t>(columns.slot) : 1) {}

  /// Sets the rows at the walls in g(), if there are walls: two loops, one after the other's start.
  void bc() {
    if (!columns_.walls) return;
    set_wall_rows(this->f(), this->g(), columns_, relaxation_, true, 2);
    set_wall_rows(this->f(), this->g(), columns_, relaxation_, false, 1);
#pragma acc wait(2) async(1)
  }
};

/// Traffic of an update: stream and collide read and write 37 numbers each, comm the frames, bc the rows at the walls. A
/// reaction reads 37 numbers and the gas, and writes the gas and two numbers of its frames.
inline std::vector<ladder::Traffic> phase_traffic(double real, const Case& c, const ladder::Tuning&) {
  const double copied = 2.0 * frame / c.nx, walls = c.walls != 0 ? 2.0 * Case::wall_rows / c.ny : 0;
  const double moved = (2 + copied + walls) * 37, burning = 3 + 2 * copied;
  if (!c.is_reactive()) return {{moved * real, moved * real}};
  return {{(moved + 37 + burning) * real, (moved + burning) * real}};
}

}  // namespace d2q37
