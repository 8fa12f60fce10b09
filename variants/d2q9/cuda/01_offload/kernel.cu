// Idea:    offload two loops: the GPU accelerates and propagates, the host rebounds, collides and adds up the speeds
// Layout:  array of structures, f[y][x][9], two copies of the lattice on the GPU and two on the host
// Traffic: five passes read 9 values per update (copy out, collide, average speed, copy in, propagate); four of them write 9
// Source:  Waugh, Table I, row "Skeleton"; section II, first paragraph
// Bound:   copies of the lattice between host and GPU, then scalar arithmetic on one core of the host
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "variants/d2q9/cuda/solver.hpp"
#include "variants/d2q9/textbook.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {45 * real + 3, 36 * real}; }

constexpr Shape block{16, 16};

/// Kernel arguments of one step.
template <class real>
struct Step {
  real* f;  ///< the lattice before the step
  real* g;  ///< and after propagation
  int driven;
  Problem<real> c;
};

/// Returns the index of population i of cell (x, y).
template <class real>
__device__ std::size_t at(int i, int x, int y, const Problem<real>& c) {
  return 9 * (static_cast<std::size_t>(y) * c.nx + x) + i;
}

/// Accelerates the row `driven`, one thread per cell.
template <class real>
__global__ void accelerate(Step<real> step) {
  const auto [f, g, y, c] = step;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= c.nx || threadIdx.y > 0) return;
  if (c.solid[static_cast<std::size_t>(y) * c.nx + x]) return;
  real s[9];
  for (int i = 0; i < 9; ++i)
    s[i] = f[at(i, x, y, c)];
  d2q9_accelerate(s, c.w1, c.w2);
  for (int i = 0; i < 9; ++i)
    f[at(i, x, y, c)] = s[i];
}

/// g = f with each population moved by one cell in its direction; both axes wrap around.
template <class real>
__global__ void propagate(Step<real> step) {
  const auto [f, g, driven, c] = step;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= c.nx || y >= c.ny) return;
  const int west = x > 0 ? x - 1 : c.nx - 1;
  const int east = x < c.nx - 1 ? x + 1 : 0;
  const int south = y > 0 ? y - 1 : c.ny - 1;
  const int north = y < c.ny - 1 ? y + 1 : 0;
  const int from_x[9] = {x, west, x, east, x, west, east, east, west};
  const int from_y[9] = {y, y, south, y, north, south, south, north, north};
#pragma unroll
  for (int i = 0; i < 9; ++i)
    g[at(i, x, y, c)] = f[at(i, from_x[i], from_y[i], c)];
}

template <class real>
class Offload final : public CudaSolver<real> {
 public:
  Offload(const Case& c, const ladder::Tuning&) : CudaSolver<real>(c, block, array_of_structures(c)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t n = 0; n < steps; ++n) {
      const Step<real> step{.f = this->f(), .g = this->g(), .driven = this->driven_row(), .c = this->problem()};
      if (step.driven >= 0) this->over_row()(accelerate<real>, step);
      this->over_grid()(propagate<real>, step);
      copy(this->device_, this->g(), propagated_.data(), propagated_.size());
      rebound();
      collide();
      history_.push_back(average_speed());
      copy(this->device_, cells_.data(), this->f(), cells_.size());
    }
  }

  std::span<const double> history() override { return history_; }

 private:
  void rebound() {
    for (std::size_t cell = 0; cell < this->case_.solid.size(); ++cell)
      if (this->case_.solid[cell] != 0)
        for (std::size_t i = 0; i < 9; ++i)
          cells_[9 * cell + i] = propagated_[9 * cell + static_cast<std::size_t>(d2q9_opposite[i])];
  }

  void collide() {
    for (std::size_t cell = 0; cell < this->case_.solid.size(); ++cell)
      if (this->case_.solid[cell] == 0) {
        real f[q];
        std::copy_n(&propagated_[9 * cell], q, f);
        collide_textbook(f, static_cast<real>(this->case_.omega));
        std::copy_n(f, q, &cells_[9 * cell]);
      }
  }

  double average_speed() {
    double total = 0;
    for (std::size_t row = 0; row < this->case_.solid.size(); row += this->grid_.x) {
      real sum = 0;
      for (std::size_t cell = row; cell < row + this->grid_.x; ++cell)
        if (this->case_.solid[cell] == 0) {
          const auto [density, ux, uy] = moments(&cells_[9 * cell]);
          sum += std::sqrt(ux * ux + uy * uy);
        }
      total += sum;
    }
    return total / this->fluid_cells_;
  }

  std::vector<real> cells_ = std::vector<real>(q * this->grid_.count());  // [y][x][9]
  std::vector<real> propagated_ = cells_;                                 // [y][x][9]
  std::vector<double> history_;
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "",
    .traffic = d2q9::traffic,
    .collision = "textbook",
    .make = ladder::make_solver<d2q9::Offload, d2q9::Model>,
};
