// Idea:    vectors in place: odd steps move whole vectors; even steps move values of other columns one by one
// Layout:  structure of arrays with padded rows, f[9][y][pitch], a single copy; sums[step][block] not yet added up
// Traffic: every population is read once and written once: 9 values and a flag read, 9 values written
// Source:  Bailey et al., "Accelerating Lattice Boltzmann Fluid Flow Simulations Using Graphics Processors", ICPP 2009
// Bound:   memory bandwidth; many narrow accesses in even steps
#include "variants/d2q9/cuda/span.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

/// Kernel arguments of one step.
template <class real>
struct Step {
  /// The lattice before and after the step.
  real* f;
  /// [block]: the sum of |u| over the fluid cells of a block.
  real* speeds;
  /// The row to accelerate for the next step, or -1 for none.
  int driven;
  Problem<real> c;
};

/// Returns the index of population i of cell (x, y).
template <class real>
__device__ std::size_t at(int i, int x, int y, const Problem<real>& c) {
  return (static_cast<std::size_t>(i) * c.ny + y) * c.pitch + x;
}

/// Advances the lattice by one step, `width` cells per thread.
///
/// An even step finds populations in their own slots, and fetches them from the neighbours; an odd step (`local`) finds them
/// where they move to, in the slot of the opposite direction. The population that leaves a cell in direction i goes to the
/// location that d2q9_opposite[i] came from; no other thread touches it.
template <bool local, int width, class real>
__global__ void timestep(Step<real> step) {
  const auto [f, speeds, driven, c] = step;
  const int y = blockIdx.y;
  const Span<width> span(c.nx);
  const int south = y > 0 ? y - 1 : c.ny - 1;
  const int north = y < c.ny - 1 ? y + 1 : 0;
  // The row from which populations of direction i are fetched; those that leave in direction d2q9_opposite[i] go there.
  const int from_y[9] = {y, y, south, y, north, south, south, north, north};
  const auto row = [&](int i) { return f + (local ? at(d2q9_opposite[i], 0, y, c) : at(i, 0, from_y[i], c)); };
  // The column that holds the population of direction i of the k-th cell.
  const auto column = [&](int i, int k) {
    if (from_west(i) && k == 0) return span.west();
    if (from_east(i) && k == width - 1) return span.east();
    return span.x + k - d2q9_cx[i];
  };
  const auto own_columns = [](int i) { return local || d2q9_cx[i] == 0; };
  Cells<real, width> cells[9] = {};
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    if (own_columns(i)) cells[i] = span.load(row(i));
    for (int k = 0; k < width; ++k)
      if (!own_columns(i) && span.inside) cells[i].v[k] = row(i)[column(i, k)];
  }
  Cells<std::uint8_t, width> solid{};
  if (span.inside) solid = load_cells<width>(c.solid + at(0, span.x, y, c));

  real speed = 0;
#pragma unroll
  for (int k = 0; k < width; ++k) {
    real s[9];
    for (int i = 0; i < 9; ++i)
      s[i] = cells[i].v[k];
    speed += update_masked(s, span.inside && !solid.v[k], y == driven, c);
    for (int i = 0; i < 9; ++i)
      cells[d2q9_opposite[i]].v[k] = s[i];
  }

#pragma unroll
  for (int i = 0; i < 9; ++i) {
    if (own_columns(i)) span.store(cells[i], row(i));
    for (int k = 0; k < width; ++k)
      if (!own_columns(i) && span.inside) row(i)[column(i, k)] = cells[i].v[k];
  }
  store_of_block(speeds, shuffle_sum(speed, threadIdx.x, blockDim.x));
}

template <class real>
class Fused final : public StepSolver<real, DeferredSums, lattice::AA> {
 public:
  Fused(const Case& c, const ladder::Tuning& tuning)
      : StepSolver<real, DeferredSums, lattice::AA>(c, row_block(tuning), padded_rows<real>(c), span_width<real>(c, tuning)),
        width_(span_width<real>(c, tuning)) {}

 private:
  void queue(real* speeds, bool more) override {
    const Step<real> now{
        .f = this->f(),
        .speeds = speeds,
        .driven = this->driven_row(more),
        .c = this->problem(),
    };
    this->over_(kernel(), now);
    this->swap_lattices();
  }

  using Kernel = void (*)(Step<real>);
  template <int width>
  Kernel of_width() const {
    return this->phase_ == 1 ? timestep<true, width, real> : timestep<false, width, real>;
  }
  /// Returns the kernel for the next step.
  Kernel kernel() const { return width_ == 1 ? of_width<1>() : width_ == 2 ? of_width<2>() : of_width<4>(); }

  const int width_;
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/11_inplace",
    .traffic = d2q9::traffic,
    .lattices = 1,
    .tunables = {d2q9::length_tunable(), d2q9::span_tunable()},
    .make = ladder::make_solver<d2q9::Fused, d2q9::Model>,
};
