#pragma once

#include <vector>

#include "harness/bench/phases.hpp"
#include "variants/d2q37/openacc/columns.hpp"
#include "variants/d2q37/textbook.hpp"
#include "variants/lattice/openacc/solver.hpp"

/// Shared by the OpenACC rungs that split a step into phases: those of Calore et al., section 4. The rungs contain the loops.
/// They run on queue 1, except that the rows at the top wall run on queue 2, concurrently with those at the bottom wall.
namespace d2q37 {

using ladder::openacc::Buffer;

/// Copies the columns at both ends into the frames, for the first `slots` slots of a lattice.
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

/// Computes the gas properties that a reaction needs, gas[3]: velocity along x and y in cells per step, and temperature above
/// s.
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

/// Heating of the gas by the reaction.
template <class real>
struct Heat {
  Reaction<real> reaction;
  bool burns;
  real per_heat;  ///< the increase in the collision's argument `warm` per unit of heat per step

  /// The reaction's contribution to `warm` in the cell at column x and row n; `gas` comes from compute_gas().
  template <int frame>
  [[gnu::always_inline]] real operator()(const real* gas, const Columns<frame>& c, int x, int n) const {
    if (!burns || c.is_at_wall(n)) return 0;
    const real *const u = gas, *const v = gas + c.slot, *const theta = gas + 2 * c.slot;
    const real divergence = (u[c.at(x + 1, n)] - u[c.at(x - 1, n)] + v[c.at(x, n + 1)] - v[c.at(x, n - 1)]) / 2;
    return per_heat * reaction.heat(1 + theta[c.at(x, n)] * static_cast<real>(1 / D2Q37_S), divergence);
  }
};

/// Coefficients of the projection and the expansion, for moments as in collide.h.
template <class real>
struct Projection {
  real project[moments][q], expand[q][moments];

  Projection() {
    for (int k = 0; k < moments; ++k) {
      double factor = 1;  // a moment in the units of textbook.hpp divided by the same in cells and steps
      for (int n = 0; n < degrees(k).a + degrees(k).b; ++n)
        factor *= D2Q37_R;
      for (int i = 0; i < q; ++i) {
        project[k][i] = static_cast<real>(coefficients.project[k][i] / factor);
        expand[i][k] = static_cast<real>(coefficients.expand[i][k] * factor);
      }
    }
  }
};

/// Base of the solvers: the phases of a step. A rung supplies the loops.
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

  /// Streams from f() to g().
  virtual void stream() = 0;
  /// Sets the rows at one wall in g(), on a queue that first waits for queue 1.
  virtual void bc(bool is_top, int queue) = 0;
  /// Collides the populations of g() and writes them to f().
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

  /// Sets the rows at the walls in g(), if there are walls, with two concurrent loops.
  void bc() {
    if (!columns_.walls) return;
    bc(true, 2);
    bc(false, 1);
#pragma acc wait(2) async(1)
  }
};

/// Traffic of an update: stream and collide each read and write 37 values, comm the frames, and bc the rows at the walls. A
/// reaction reads 37 values and the gas, and writes the gas and two of its values in the frames.
inline std::vector<ladder::Traffic> phase_traffic(double real, const Case& c, int frame) {
  const double copied = 2.0 * frame / c.nx, walls = c.walls != 0 ? 2.0 * Case::wall_rows / c.ny : 0;
  const double moved = (2 + copied + walls) * 37, burning = 3 + 2 * copied;
  if (!c.is_reactive()) return {{moved * real, moved * real}};
  return {{(moved + 37 + burning) * real, (moved + burning) * real}};
}

}  // namespace d2q37
