// Idea:    offload two loops: the GPU accelerates and propagates, the host rebounds, collides and adds up the speeds
// Layout:  array of structures, f[y][x][9], two copies of the lattice on the GPU and two on the host
// Traffic: five passes read 9 values per update (copy out, collide, average speed, copy in, propagate); four of them write 9
// Source:  Waugh, Table I, row "Skeleton"; section II, first paragraph
// Bound:   copies of the lattice between host and GPU, then scalar arithmetic on one core of the host
#include <span>
#include <vector>

#include "variants/d2q9/cuda/solver.hpp"
#include "variants/d2q9/skeleton.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {45 * real + 3, 36 * real}; }

constexpr Shape block{16, 16};

/// Kernel arguments of one step.
template <class real>
struct Step {
  /// The lattice before and after the step.
  real* f;
  /// The lattice after propagation.
  real* g;
  /// The row to accelerate.
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
  const auto& c = step.c;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= c.nx || threadIdx.y > 0) return;
  if (c.solid[static_cast<std::size_t>(step.driven) * c.nx + x]) return;
  real s[9];
  for (int i = 0; i < 9; ++i)
    s[i] = step.f[at(i, x, step.driven, c)];
  d2q9_accelerate(s, c.w1, c.w2);
  for (int i = 0; i < 9; ++i)
    step.f[at(i, x, step.driven, c)] = s[i];
}

/// g = f with each population moved by one cell in its direction; both axes wrap around.
template <class real>
__global__ void propagate(Step<real> step) {
  const auto& c = step.c;
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
    step.g[at(i, x, y, c)] = step.f[at(i, from_x[i], from_y[i], c)];
}

template <class real>
class Kernels final : public CudaSolver<real> {
 public:
  Kernels(const Case& c, const ladder::Tuning&) : CudaSolver<real>(c, block, array_of_structures(c)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t n = 0; n < steps; ++n) {
      const Step<real> step{.f = this->f(), .g = this->g(), .driven = this->driven_row(), .c = this->problem()};
      if (step.driven >= 0) this->over_row()(accelerate<real>, step);
      this->over_grid()(propagate<real>, step);
      copy(this->device_, this->g(), propagated_.data(), propagated_.size());
      rebound_on_host(this->case_, propagated_, cells_);
      collide_on_host(this->case_, propagated_, cells_);
      history_.push_back(speeds_on_host(this->case_, cells_) / this->fluid_cells_);
      copy(this->device_, cells_.data(), this->f(), cells_.size());
    }
  }

  std::span<const double> history() override { return history_; }

 private:
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
    .make = ladder::make_solver<d2q9::Kernels, d2q9::Model>,
};
