// Idea:    offload two loops: the GPU accelerates and propagates, the host rebounds, collides and adds up the speeds
// Layout:  array of structures, f[y][x][9], two lattices on the GPU and two on the host
// Traffic: five passes read 9 numbers an update (copy in, propagate, copy out, collide, average speed), four write them
// Source:  Waugh, Table I, row "Skeleton"; section II, first paragraph
// Bound:   copies of the lattice between host and GPU, then scalar arithmetic of one core of the host
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "variants/d2q9/cuda/device_case.hpp"
#include "variants/d2q9/textbook.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {45 * real + 3, 36 * real}; }

/// Where population i of cell (x, y) lies.
__device__ std::size_t at(int i, int x, int y, int nx) { return 9 * (static_cast<std::size_t>(y) * nx + x) + i; }

/// Drives the row ny - 2, a thread a cell.
template <class real>
__global__ void accelerate(real* f, Problem<real> c) {
  const int y = c.ny - 2;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= c.nx || threadIdx.y > 0) return;
  if (c.solid[static_cast<std::size_t>(y) * c.nx + x]) return;
  real s[9];
  for (int i = 0; i < 9; ++i)
    s[i] = f[at(i, x, y, c.nx)];
  d2q9_accelerate(s, c.w1, c.w2);
  for (int i = 0; i < 9; ++i)
    f[at(i, x, y, c.nx)] = s[i];
}

/// g = f moved by one cell, each population in its direction; both grids wrap around.
template <class real>
__global__ void propagate(const real* f, real* g, Problem<real> c) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= c.nx || y >= c.ny) return;
  const int west = x > 0 ? x - 1 : c.nx - 1;
  const int east = x < c.nx - 1 ? x + 1 : 0;
  const int south = y > 0 ? y - 1 : c.ny - 1;
  const int north = y < c.ny - 1 ? y + 1 : 0;
  g[at(0, x, y, c.nx)] = f[at(0, x, y, c.nx)];
  g[at(1, x, y, c.nx)] = f[at(1, west, y, c.nx)];
  g[at(2, x, y, c.nx)] = f[at(2, x, south, c.nx)];
  g[at(3, x, y, c.nx)] = f[at(3, east, y, c.nx)];
  g[at(4, x, y, c.nx)] = f[at(4, x, north, c.nx)];
  g[at(5, x, y, c.nx)] = f[at(5, west, south, c.nx)];
  g[at(6, x, y, c.nx)] = f[at(6, east, south, c.nx)];
  g[at(7, x, y, c.nx)] = f[at(7, east, north, c.nx)];
  g[at(8, x, y, c.nx)] = f[at(8, west, north, c.nx)];
}

template <class real>
class Offload final : public Solver {
 public:
  Offload(const Case& c, const ladder::Tuning&)
      : on_(c, {16, 16}), cells_(static_cast<std::size_t>(q * c.cells())), propagated_(cells_.size()) {
    for (int y = 0; y < c.ny; ++y)
      for (int x = 0; x < c.nx; ++x)
        for (int i = 0; i < q; ++i)
          cells_[strides_.at(i, x, y)] = static_cast<real>(c.initial(i, x, y));
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      f_.write(cells_);
      on_.over_row()(accelerate<real>, f_.data(), on_.problem());
      on_.over_grid()(propagate<real>, f_.data(), g_.data(), on_.problem());
      g_.read(propagated_.data(), propagated_.size());
      rebound();
      collide();
      history_.push_back(average_speed());
    }
  }

  void store(ladder::Populations& out) override {
    for (std::int64_t cell = 0; cell < on_.c.cells(); ++cell)
      for (int i = 0; i < q; ++i)
        out.at(i, cell) = cells_[static_cast<std::size_t>(9 * cell + i)];
  }

  std::span<const double> history() override { return history_; }

 private:
  void rebound() {
    for (std::size_t cell = 0; cell < on_.c.solid.size(); ++cell)
      if (on_.c.solid[cell] != 0)
        for (std::size_t i = 0; i < 9; ++i)
          cells_[9 * cell + i] = propagated_[9 * cell + static_cast<std::size_t>(opposite[i])];
  }

  void collide() {
    for (std::size_t cell = 0; cell < on_.c.solid.size(); ++cell)
      if (on_.c.solid[cell] == 0) {
        real f[q];
        std::copy_n(&propagated_[9 * cell], q, f);
        collide_textbook(f, static_cast<real>(on_.c.omega));
        std::copy_n(f, q, &cells_[9 * cell]);
      }
  }

  double average_speed() {
    double total = 0;
    for (int y = 0; y < on_.c.ny; ++y) {
      real row = 0;
      for (int x = 0; x < on_.c.nx; ++x)
        if (const auto cell = static_cast<std::size_t>(y) * on_.grid.x + static_cast<std::size_t>(x); on_.c.solid[cell] == 0) {
          const auto [density, ux, uy] = moments(&cells_[9 * cell]);
          row += std::sqrt(ux * ux + uy * uy);
        }
      total += row;
    }
    return total / static_cast<double>(fluid_cells_);
  }

  const DeviceCase<real> on_;
  const Strides strides_ = array_of_structures(on_.c);
  ladder::cuda::Buffer<real> f_ = on_.lattice(strides_);
  ladder::cuda::Buffer<real> g_ = on_.lattice(strides_);
  std::vector<real> cells_;       // [y][x][9]
  std::vector<real> propagated_;  // [y][x][9]
  std::vector<double> history_;
  const std::int64_t fluid_cells_ = on_.c.fluid_cells();
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "",
    .traffic = d2q9::traffic,
    .collision = "textbook",
    .make = ladder::make_solver<d2q9::Offload, d2q9::Model>,
};
