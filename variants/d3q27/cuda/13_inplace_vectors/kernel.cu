// Idea:    in place with aligned vectors: threads of a block exchange the values that cross between their cells
// Layout:  structure of arrays with padded rows, f[27][z][y][pitch], a single copy of the lattice
// Traffic: every population read once and written once: 27 values read, 27 written
// Source:  Bailey et al., "Accelerating Lattice Boltzmann Fluid Flow Simulations Using Graphics Processors", ICPP 2009
// Bound:   memory bandwidth; launch overhead for small boxes
#include "backends/cuda/shared.hpp"
#include "variants/d3q27/cuda/vectors.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

constexpr int most_threads = 256;  // per block: with 384, an f32 thread of 4 cells would run out of registers and spill

/// Elements that a thread lends to its neighbours: one for each of the 18 directions that move along x, plus one for padding.
/// With an odd count, the threads of a warp access different banks of shared memory.
constexpr int lent_numbers = 19;

/// Advances f by one step, one thread per vector. In an even step, populations are in their own slots and are fetched from the
/// neighbours; a population that leaves in direction i goes to the location from which the opposite direction came. In an odd
/// step (`local`), they have arrived in their destination cells, in the slots of the opposite directions; the results go to
/// their own slots.
///
/// In a step that fetches, the western neighbours of a thread's cells begin and end one column before them; the eastern ones
/// are shifted the other way. Each thread reads and writes the vectors of its own columns, and lends the value at their end to
/// the neighbouring thread, whose cell needs it. If that thread is in another block, or at the other end of the row, the
/// borrowing thread reads and writes the value itself, so that no element is accessed by two blocks.
template <bool local, int width, class real>
__global__ void __launch_bounds__(most_threads) run_lbm(VectorStep<real> step) {
  // The element that this thread, or the one at offset `beside`, lends for direction i and gets back.
  const auto lent = [&](int i, int beside) -> real& {
    return shared_memory<real>()[(static_cast<int>(threadIdx.x) + beside) * lent_numbers + along_x(i)];
  };
  const FirstCell own = first_cell(blockIdx.x * blockDim.x + threadIdx.x, step.box, width);
  const bool inside = own.z < step.box.nz;  // all threads of a block synchronize
  const VectorRows rows(own, width, step.box, step.pitch);
  // Column x of the row from which population i of this thread's cells comes, and to which the population of the opposite
  // direction goes.
  const auto place = [&](int i) -> real* {
    return local ? step.f.of[d3q27_opposite[i]] + rows(0, 0) : step.f.of[i] + rows(d3q27_cy[i], d3q27_cz[i]);
  };
  const bool first = threadIdx.x == 0 || rows.x == 0, last = threadIdx.x == blockDim.x - 1 || rows.x + width >= step.box.nx;
  const int west = rows.west, east = rows.east, end = rows.last_cell();
  const auto from_west = [](int i) { return !local && d3q27_cx[i] > 0; };
  const auto from_east = [](int i) { return !local && d3q27_cx[i] < 0; };
  // Whether all elements of the vector belong to cells of this block, and none to the other end of the row.
  const auto whole = [&](int i) { return inside && !(from_west(i) && last) && !(from_east(i) && first); };

  Cells<real, width> cells[27];
  real beyond[27];
#pragma unroll
  for (int i = 0; i < 27; ++i)
    if (whole(i)) cells[i] = load_cells<width>(place(i));
  if (!local && inside && first) {
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      if (from_west(i)) beyond[i] = place(i)[west];
#pragma unroll
      for (int k = 1; k < width; ++k)
        if (from_east(i)) cells[i].v[k] = place(i)[k];
    }
  }
  if (!local && inside && last) {
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      if (from_east(i)) beyond[i] = place(i)[east];
#pragma unroll
      for (int k = 1; k < width; ++k)
        if (from_west(i) && k <= end) cells[i].v[k - 1] = place(i)[k - 1];
    }
  }

  if (!local) {
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      if (from_west(i)) lent(i, 0) = cells[i].v[width - 1];
      if (from_east(i)) lent(i, 0) = cells[i].v[0];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      if (from_west(i)) cells[i] = moved_east(first ? beyond[i] : lent(i, -1), cells[i]);
      if (from_east(i)) {
        cells[i] = moved_west(cells[i], last ? beyond[i] : lent(i, 1));
#pragma unroll
        for (int k = 0; k < width - 1; ++k)
          if (last && k == end) cells[i].v[k] = beyond[i];
      }
    }
  }

#pragma unroll
  for (int k = 0; k < width; ++k) {
    real site[27];
#pragma unroll
    for (int i = 0; i < 27; ++i)
      site[i] = cells[i].v[k];
    d3q27_collide(site, step.omega);
    // The population that leaves in the direction opposite to i replaces the one that arrived in direction i.
#pragma unroll
    for (int i = 0; i < 27; ++i)
      cells[d3q27_opposite[i]].v[k] = site[i];
  }

  if (!local && inside && first) {
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      if (from_west(i)) place(i)[west] = cells[i].v[0];
#pragma unroll
      for (int k = 1; k < width; ++k)
        if (from_east(i)) place(i)[k] = cells[i].v[k - 1];
    }
  }
  if (!local && inside && last) {
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      real of_end = cells[i].v[0];
#pragma unroll
      for (int k = 1; k < width; ++k)
        if (k == end) of_end = cells[i].v[k];
      if (from_east(i)) place(i)[east] = of_end;
#pragma unroll
      for (int k = 1; k < width; ++k)
        if (from_west(i) && k <= end) place(i)[k - 1] = cells[i].v[k];
    }
  }
  if (!local) {
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      if (from_west(i) && !first) lent(i, -1) = cells[i].v[0];
      if (from_east(i) && !last) lent(i, 1) = cells[i].v[width - 1];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      if (from_west(i)) cells[i] = moved_west(cells[i], lent(i, 0));
      if (from_east(i)) cells[i] = moved_east(lent(i, 0), cells[i]);
    }
  }
#pragma unroll
  for (int i = 0; i < 27; ++i)
    if (whole(i)) store_cells(place(i), cells[i]);
}

template <class real>
class PeriodicBox final : public VectorBox<real, lattice::AA> {
 public:
  PeriodicBox(const Case& c, const ladder::Tuning& tuning) : PeriodicBox::VectorBox(c, tuning) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      over_(this->width_ == 1   ? of_width<1>()
            : this->width_ == 2 ? of_width<2>()
                                : of_width<16 / sizeof(real)>(),
            this->step());
      this->swap_lattices();
    }
  }

 private:
  /// The kernel for the next step.
  template <int width>
  auto of_width() const {
    return this->phase_ == 1 ? run_lbm<true, width, real> : run_lbm<false, width, real>;
  }

  const Launch over_ =
      over_vectors(this->device_, this->box_, this->width_, this->block_, lent_numbers* this->block_.count() * sizeof(real));
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/10_inplace",
    .traffic = d3q27::traffic,
    .lattices = 1,
    .tunables = {lattice::cuda::threads_tunable(128, d3q27::most_threads, "vector of cells"), lattice::cuda::width_tunable()},
    .make = ladder::make_solver<d3q27::PeriodicBox, d3q27::Model>,
};
