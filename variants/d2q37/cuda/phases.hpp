#pragma once

#include <vector>

#include "variants/d2q37/cuda/columns.hpp"
#include "variants/d2q37/cuda/projection.hpp"

/// Shared by the CUDA rungs of code version V1: the phases of Biferale et al., section 5. The rungs contain the kernels.
namespace d2q37 {

/// Heating of the gas by the reaction.
template <class real, int frame>
struct Heat {
  const real* gas;  ///< from gas_phase()
  Reaction<real> reaction;
  bool burns;
  real per_heat;  ///< the increase in the collision's argument `warm` per unit of heat per step

  /// The reaction's contribution to `warm` in the cell at column x and row n.
  __device__ real operator()(const Columns<frame>& c, int x, int n) const {
    if (!burns || c.is_at_wall(n)) return 0;
    const real *const u = gas, *const v = gas + c.slot, *const theta = gas + 2 * c.slot;
    const real divergence = (u[c.at(x + 1, n)] - u[c.at(x - 1, n)] + v[c.at(x, n + 1)] - v[c.at(x, n - 1)]) / 2;
    return per_heat * reaction.heat(1 + theta[c.at(x, n)] * static_cast<real>(1 / D2Q37_S), divergence);
  }
};

/// Computes the gas properties that a reaction needs, in three slots: velocity along x and y in cells per step, and temperature
/// above s (collide.h).
template <class real, int frame>
__global__ void __launch_bounds__(most_threads) gas_phase(Lattices<real, frame> l) {
  const Columns<frame>& c = l.c;
  const auto [x, n] = own_cell(c);
  if (n >= c.ny) return;
  const int cell = c.at(x, n);
  real density = 0, momentum_x = 0, momentum_y = 0, energy = 0;
#pragma unroll
  for (int i = q - 1; i >= 0; --i) {
    const real f = l.from[i * c.slot + cell];
    density += f;
    momentum_x += d2q37_cx[i] * f;
    momentum_y += d2q37_cy[i] * f;
    energy += (d2q37_cx[i] * d2q37_cx[i] + d2q37_cy[i] * d2q37_cy[i]) * f;
  }
  const real u = momentum_x / density, v = momentum_y / density;
  l.to[cell] = u;
  l.to[c.slot + cell] = v;
  l.to[2 * c.slot + cell] = (energy / density - u * u - v * v) / 2 - static_cast<real>(D2Q37_S);
}

/// Kernels of a step: `stream` gathers populations from one lattice into the other, `bc` sets the rows at the walls in the
/// latter.
template <class real, int frame>
struct PhaseKernels {
  void (*stream)(Lattices<real, frame>);
  void (*bc)(Lattices<real, frame>, Relaxation<real>);
};

/// Base of the solvers: the phases of a step. A rung supplies collide(), which reads g() and writes f().
template <class real, int frame>
class PhaseSolver : public ColumnSolver<real, frame> {
  using Base = ColumnSolver<real, frame>;
  using Base::columns_;

 public:
  std::vector<ladder::Phase> phases() override {
    const bool copies = frame > 0, burns = this->case_.is_reactive();
    std::vector<ladder::Phase> all;
    if (copies) all.push_back({"comm", [this] { comm(this->f(), q); }});
    all.push_back({"stream", [this] { this->over_cells_(kernels_.stream, this->forward()); }});
    all.push_back({"bc", [this] { bc(); }});
    if (burns) all.push_back({"gas", [this] { gas(); }});
    if (burns && copies) all.push_back({"comm2", [this] { comm(gas_.data(), 2); }});
    all.push_back({"collide", [this] { collide(); }});
    return all;
  }

 protected:
  PhaseSolver(const Case& c, const ladder::Tuning& tuning, const PhaseKernels<real, frame>& kernels)
      : Base(c, tuning),
        kernels_(kernels),
        gas_(this->device_, c.is_reactive() ? 3 * static_cast<std::size_t>(columns_.slot) : 1) {
    this->split(kernels.stream);
  }

  virtual void collide() = 0;

  /// Arguments of the collision.
  [[nodiscard]] Lattices<real, frame> collision() { return {this->g(), this->f(), columns_}; }
  [[nodiscard]] Heat<real, frame> heat() const {
    return {gas_.data(), this->case_.template reaction<real>(), this->case_.is_reactive(),
            static_cast<real>(this->case_.tau / (D2Q37_R * D2Q37_R))};
  }

 private:
  /// Copies the columns at both ends into the frames, for the first `slots` slots of a lattice.
  void comm(real* lattice, int slots) {
    const auto copy = [&](int from, int to) {
      const std::size_t apart = static_cast<std::size_t>(columns_.slot) * sizeof(real);
      const std::size_t width = sizeof(real) * frame * static_cast<std::size_t>(columns_.pitch);
      const auto column = [&](int x) { return lattice + static_cast<std::int64_t>(x) * columns_.pitch; };
      LADDER_CUDA(cudaMemcpy2DAsync(column(to), apart, column(from), apart, width, static_cast<std::size_t>(slots),
                                    cudaMemcpyDeviceToDevice, this->device_.stream()));
    };
    copy(columns_.nx, 0);
    copy(frame, frame + columns_.nx);
  }

  /// Sets the rows at the walls in g(), if there are walls.
  void bc() {
    if (columns_.walls) this->over_walls_(kernels_.bc, this->forward(), this->relaxation_);
  }
  /// Computes the gas properties from g().
  void gas() { this->over_cells_(gas_phase<real, frame>, {this->g(), gas_.data(), columns_}); }

  const PhaseKernels<real, frame> kernels_;
  Buffer<real> gas_;
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
