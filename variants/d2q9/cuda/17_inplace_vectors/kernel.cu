// Idea:    in place with aligned vectors: threads of a block exchange the values on the edges between their cells
// Layout:  structure of arrays with padded rows, f[9][y][pitch], a single copy; sums[step][block] not yet added up
// Traffic: every population is read once and written once: 9 values and a flag read, 9 values written
// Source:  Bailey et al., "Accelerating Lattice Boltzmann Fluid Flow Simulations Using Graphics Processors", ICPP 2009
// Bound:   memory bandwidth
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

/// Bytes of shared memory through which a block's threads exchange edge values, arriving and leaving ones in 6 directions each.
template <class real>
constexpr std::size_t edges_size(std::size_t threads) {
  return 2 * 6 * threads * sizeof(real);
}

/// Advances the lattice by one step, `width` cells per thread.
///
/// An even step finds populations in their own slots, and fetches them from the neighbours; an odd step (`local`) finds them
/// where they move to, in the slot of the opposite direction. The population that leaves a cell in direction i goes to the
/// location that d2q9_opposite[i] came from; no other thread touches it.
///
/// In a step that fetches, the western neighbours of a block's cells start and end one column further west, the eastern ones
/// one column further east. Threads of a block exchange the shifted values, so that each reads and writes the vector of its own
/// columns. Values that cross block boundaries are read and written individually, by the thread whose cell needs them.
template <bool local, int width, class real>
__global__ void timestep(Step<real> step) {
  extern __shared__ double room[];
  const auto [f, speeds, driven, c] = step;
  const int thread = threadIdx.x;
  // The value that the thread at distance `beside` left for this one, arriving (0) or leaving (1) in direction i, which is 1, 3
  // or 5 … 8.
  const auto edge = [&](int way, int i, int beside) -> real& {
    return reinterpret_cast<real*>(room)[(way * 6 + (i < 5 ? i / 2 : i - 3)) * blockDim.x + thread + beside];
  };
  const int y = blockIdx.y;
  const Span<width> span(c.nx);
  const int south = y > 0 ? y - 1 : c.ny - 1;
  const int north = y < c.ny - 1 ? y + 1 : 0;
  // The row from which populations of direction i are fetched; those that leave in direction d2q9_opposite[i] go there.
  const int from_y[9] = {y, y, south, y, north, south, south, north, north};
  const auto row = [&](int i) { return f + (local ? at(d2q9_opposite[i], 0, y, c) : at(i, 0, from_y[i], c)); };
  Cells<real, width> cells[9];
  real beyond[9];  // of the block, in place of the western or eastern neighbour
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    const bool west = !local && from_west(i), east = !local && from_east(i);
    cells[i] = span.load(row(i), east && span.first, west && span.last);
    if (west && span.first) beyond[i] = row(i)[span.west()];
    if (east && span.last) beyond[i] = row(i)[span.east()];
  }
  Cells<std::uint8_t, width> solid{};
  if (span.inside) solid = load_cells<width>(c.solid + at(0, span.x, y, c));

  if (!local) {
#pragma unroll
    for (int i = 0; i < 9; ++i) {
      if (from_west(i)) edge(0, i, 0) = cells[i].v[width - 1];
      if (from_east(i)) edge(0, i, 0) = cells[i].v[0];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 9; ++i) {
      if (from_west(i)) cells[i] = moved_east(span.first ? beyond[i] : edge(0, i, -1), cells[i]);
      if (from_east(i)) cells[i] = moved_west(cells[i], span.last || !span.inside ? beyond[i] : edge(0, i, 1));
    }
  }

  real speed = 0;
#pragma unroll
  for (int k = 0; k < width; ++k) {
    real s[9];
    for (int i = 0; i < 9; ++i)
      s[i] = cells[i].v[k];
    const bool fluid = !solid.v[k];
    const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
    const real u2 = d2q9_collide(s, c.omega);
    speed += fluid && span.inside ? sqrt(u2) : 0;
    const bool drive = y == driven && fluid && d2q9_can_drive(s, c.w1, c.w2);
    const real along[9] = {0, c.w1, 0, -c.w1, 0, c.w2, -c.w2, -c.w2, c.w2};
    for (int i = 0; i < 9; ++i)
      cells[d2q9_opposite[i]].v[k] = fluid ? s[i] + (drive ? along[i] : 0) : rebounded[i];
  }

  if (!local) {
#pragma unroll
    for (int i = 0; i < 9; ++i) {
      if (from_west(i)) edge(1, i, 0) = cells[i].v[0];
      if (from_east(i)) edge(1, i, 0) = cells[i].v[width - 1];
      if (from_west(i) && span.first) row(i)[span.west()] = cells[i].v[0];
      if (from_east(i) && span.last) row(i)[span.east()] = cells[i].v[width - 1];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 9; ++i) {
      if (from_west(i)) cells[i] = moved_west(cells[i], span.last || !span.inside ? real{} : edge(1, i, 1));
      if (from_east(i)) cells[i] = moved_east(span.first ? real{} : edge(1, i, -1), cells[i]);
    }
  }
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    const bool west = !local && from_west(i), east = !local && from_east(i);
    span.store(cells[i], row(i), east && span.first, west && span.last);
  }
  store_of_block(speeds, shuffle_sum(speed, thread, blockDim.x));
}

template <class real>
class Fused final : public StepSolver<real, DeferredSums, lattice::AA> {
 public:
  Fused(const Case& c, const ladder::Tuning& tuning)
      : StepSolver<real, DeferredSums, lattice::AA>(c, row_block(tuning), padded_rows<real>(c), span_width<real>(c, tuning),
                                                    edges_size<real>(row_block(tuning).x)),
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
    .follows = "d2q9/cuda/37_local_vectors",
    .traffic = d2q9::traffic,
    .lattices = 1,
    .tunables = {d2q9::length_tunable(), d2q9::span_tunable()},
    .make = ladder::make_solver<d2q9::Fused, d2q9::Model>,
};
