#pragma once

#include <vector>

#include "harness/bench/phases.hpp"
#include "variants/d2q37/openacc/columns.hpp"
#include "variants/d2q37/textbook.hpp"
#include "variants/lattice/openacc/solver.hpp"

/// What the OpenACC rungs share whose steps consist of phases: those of Calore et al., section 4, whose loops are in the rungs.
/// Loops run on queue 1; the rows at the top wall on queue 2, at the same time as those at the bottom wall.
namespace d2q37 {

using ladder::openacc::Buffer;

/// Copies the columns at both ends of the first `slots` slots of a lattice to its frames.
template <class real, int frame>
void copy_frames(real* f, const Columns<frame>& columns, int slots) {
  const Columns<frame> c = columns;
#pragma acc parallel loop gang collapse(2) num_workers(4) vector_length(32) deviceptr(f) firstprivate(c) async(1)
  for (int i = 0; i < slots; ++i)
    for (int k = 0; k < 2 * frame; ++k) {
      const int to = k < frame ? k - frame : c.nx + k - frame, from = k < frame ? to + c.nx : to - c.nx;
#pragma acc loop worker vector
      for (int n = 0; n < c.ny; ++n)
        f[i * c.slot + c.at(to, n)] = f[i * c.slot + c.at(from, n)];
    }
}

/// The gas as a reaction needs it, gas[3]: the velocity along x and y, in cells per step, and the temperature above s.
template <class real, int frame>
void compute_gas(const real* from, real* gas, const Columns<frame>& columns) {
  const Columns<frame> c = columns;
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
  template <int frame>
  [[gnu::always_inline]] real operator()(const real* gas, const Columns<frame>& c, int x, int n) const {
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

/// Base of the solvers: the phases of a step. A rung adds what they do.
template <class real, int frame>
class PhaseSolver : public lattice::openacc::Solver<Model, real>, public ladder::Phased {
 public:
  void advance(std::int64_t steps) override {
    const std::vector<ladder::Phase> all = phases();
    for (std::int64_t step = 0; step < steps; ++step)
      for (const ladder::Phase& phase : all)
        phase.run();
  }

  std::vector<ladder::Phase> phases() override {
    const bool copies = frame > 0, burns = this->case_.is_reactive();
    std::vector<ladder::Phase> all;
    if (copies) all.push_back({"comm", [this] { copy_frames(this->f(), columns_, q); }});
    all.push_back({"stream", [this] { stream(); }});
    all.push_back({"bc", [this] { bc(); }});
    if (burns) all.push_back({"gas", [this] { compute_gas(this->g(), gas_.data(), columns_); }});
    if (burns && copies) all.push_back({"comm2", [this] { copy_frames(gas_.data(), columns_, 2); }});
    all.push_back({"collide", [this] { collide(); }});
    return all;
  }

 protected:
  explicit PhaseSolver(const Case& c) : PhaseSolver(c, Columns<frame>(c, 128 / sizeof(real))) {}

  /// Streams f() to g().
  virtual void stream() = 0;
  /// Sets the rows at one of the walls in g(), on a queue that first waits for queue 1.
  virtual void bc(bool is_top, int queue) = 0;
  /// Collides g() to f().
  virtual void collide() = 0;

  const Columns<frame> columns_;
  const Relaxation<real> relaxation_ = this->case_.template relaxation<real>();
  const Heat<real> heat_{this->case_.template reaction<real>(), this->case_.is_reactive(),
                         static_cast<real>(this->case_.tau / (D2Q37_R * D2Q37_R))};
  Buffer<real> gas_;

 private:
  PhaseSolver(const Case& c, const Columns<frame>& columns)
      : lattice::openacc::Solver<Model, real>(c, columns.strides()),
        columns_(columns),
        gas_(this->device_, c.is_reactive() ? 3 * static_cast<std::size_t>(columns.slot) : 1) {}

  /// Sets the rows at the walls in g(), if there are walls: two loops, one after the other's start.
  void bc() {
    if (!columns_.walls) return;
    bc(true, 2);
    bc(false, 1);
#pragma acc wait(2) async(1)
  }
};

/// Traffic of an update: stream and collide read and write 37 numbers each, comm the frames, bc the rows at the walls. A
/// reaction reads 37 numbers and the gas, and writes the gas and two numbers of its frames.
inline std::vector<ladder::Traffic> phase_traffic(double real, const Case& c, int frame) {
  const double copied = 2.0 * frame / c.nx, walls = c.walls != 0 ? 2.0 * Case::wall_rows / c.ny : 0;
  const double moved = (2 + copied + walls) * 37, burning = 3 + 2 * copied;
  if (!c.is_reactive()) return {{moved * real, moved * real}};
  return {{(moved + 37 + burning) * real, (moved + burning) * real}};
}

}  // namespace d2q37
