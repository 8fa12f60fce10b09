#pragma once

#include "variants/d3q19/cuda/row_cells.hpp"
#include "variants/d3q19/cuda/solver.hpp"

namespace d3q19 {

/// The flags of a vector of cells, as bytes of one or two words.
template <int width>
struct Flags {
  static_assert(width == 1 || width == 2 || width == 4 || width == 8);
  static constexpr int words = width == 8 ? 2 : 1;
  /// A bit of the flags, in every byte of a word.
  static LBM_ANYWHERE constexpr unsigned all(unsigned bit) { return bit * (0x01010101u >> 8 * (width < 4 ? 4 - width : 0)); }

  unsigned word[words];

  /// Those of the vector that starts at `flags`, which is aligned to it.
  static __device__ Flags of(const std::uint8_t* flags) {
    if constexpr (width == 8) {
      const uint2 both = __ldg(reinterpret_cast<const uint2*>(flags));
      return {both.x, both.y};
    } else if constexpr (width == 4) {
      return {__ldg(reinterpret_cast<const unsigned*>(flags))};
    } else if constexpr (width == 2) {
      return {__ldg(reinterpret_cast<const unsigned short*>(flags))};
    } else {
      return {__ldg(flags)};
    }
  }
  /// The same flags for all cells.
  static __device__ Flags same(unsigned of_cell) {
    Flags flags;
#pragma unroll
    for (unsigned& word : flags.word)
      word = all(of_cell);
    return flags;
  }

  /// Whether all cells are fluid, and far from boundaries.
  [[nodiscard]] __device__ bool plain() const {
    unsigned other = 0;  // byte k: cell k is not
#pragma unroll
    for (const unsigned flags : word)
      other |= __vsetne4(flags, all(D3Q19_FLUID));
    return other == 0;
  }
  /// Whether all cells are fluid.
  [[nodiscard]] __device__ bool full() const {
    unsigned solid = 0;
#pragma unroll
    for (const unsigned flags : word)
      solid |= __vsetne4(flags & all(D3Q19_FLUID), all(D3Q19_FLUID));
    return solid == 0;
  }
  /// Whether no cell is fluid.
  [[nodiscard]] __device__ bool empty() const {
    unsigned fluid = 0;
#pragma unroll
    for (const unsigned flags : word)
      fluid |= __vsetne4(flags & all(D3Q19_FLUID), 0);
    return fluid == 0;
  }
  /// Whether cell k has a bit set.
  [[nodiscard]] __device__ bool has(int k, unsigned bit) const {
    return ((k < 4 ? word[0] : word[words - 1]) >> 8 * (k % 4) & bit) != 0;
  }
};

/// The vector that a thread updates: the cells x to x + width - 1 of a row. The columns [begin, end) of the row are those of
/// consecutive threads, with a vector each.
struct OwnVector {
  int x, y, z;
  int begin, end;
};

/// Advances a vector by one step: streams from f_temp, collides, and writes f and, if `returns`, the returned populations. All
/// threads of a warp call it, with the flags of their vectors. Those without fluid do nothing; the others do without tests
/// where all cells are plain fluid.
///
/// Populations from the east or west move by one cell within a vector; the neighbouring thread has read the number that enters
/// at its end, unless it has nothing to do.
template <bool returns = true, int width, class real>
__device__ void update_vector(const Step<real>& step, const OwnVector& own, Flags<width> flags) {
  using Storage = lattice::Storage<real>;
  using Compute = typename Storage::Compute;
  const auto weight = [](int i) { return static_cast<Compute>(D3Q19_WEIGHT(i)); };
  const auto [x, y, z, begin, end] = own;
  const Sides box = step.box;
  const bool empty = flags.empty();
  const unsigned awake = __ballot_sync(0xffffffffu, !empty);
  if (empty) return;
  const int from_y[3] = {y < box.ny - 1 ? y + 1 : 0, y, y > 0 ? y - 1 : box.ny - 1};
  const int from_z[3] = {z < box.nz - 1 ? z + 1 : 0, z, z > 0 ? z - 1 : box.nz - 1};
  // Number of the cell at x in the row that population i comes from.
  const auto place = [&, x = x](int i) -> unsigned {
    return static_cast<unsigned>(from_z[1 + d3q19_cz[i]] * box.ny + from_y[1 + d3q19_cy[i]]) * step.pitch + x;
  };
  // A thread reads one more number if its neighbour does not.
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const bool first = lane == 0 || x == begin || (awake >> (lane - 1) & 1) == 0;
  const bool last = lane == 31 || x + width >= end || (awake >> (lane + 1) & 1) == 0;
  const unsigned west = x > 0 ? -1 : box.nx - 1;                    // to the western neighbour of the first cell
  const unsigned east = x + width < box.nx ? width : -x;            // to the eastern neighbour of the last one
  const int last_cell = last ? min(width, box.nx - x) - 1 : width;  // the last cell, if its neighbour is read

  RowCells<real, width> cells[19];
  real beyond[19];
#pragma unroll
  for (int i = 0; i < 19; ++i)
    cells[i] = cells[i].of(step.f_temp.of[i] + place(i));
#pragma unroll
  for (int i = 0; i < 19; ++i) {
    if (d3q19_cx[i] > 0 && first) beyond[i] = step.f_temp.of[i][place(i) + west];
    if (d3q19_cx[i] < 0 && last) beyond[i] = step.f_temp.of[i][place(i) + east];
  }
#pragma unroll
  for (int i = 0; i < 19; ++i) {
    if (d3q19_cx[i] > 0) cells[i] = cells[i].moved_east(awake, first, beyond[i]);
    if (d3q19_cx[i] < 0) {
      cells[i] = cells[i].moved_west(awake);
#pragma unroll
      for (int k = 0; k < width; ++k)
        if (k == last_cell) cells[i].set(k, beyond[i]);
    }
  }
#pragma unroll
  for (int k = 0; k < width; ++k) {
    Compute site[19];
#pragma unroll
    for (int i = 0; i < 19; ++i)
      site[i] = Storage::load(cells[i].get(k), weight(i));
    d3q19_collide(site, step.omega, step.omega_minus);
#pragma unroll
    for (int i = 0; i < 19; ++i)
      cells[i].set(k, Storage::store(site[i], weight(i)));
  }

  const unsigned cell = place(0);
  if (flags.full()) {
#pragma unroll
    for (int i = 0; i < 19; ++i)
      cells[i].store(step.f.of[i] + cell);
    if (flags.plain()) return;
  } else {
#pragma unroll
    for (int k = 0; k < width; ++k)
#pragma unroll
      for (int i = 0; i < 19; ++i)
        if (flags.has(k, D3Q19_FLUID)) step.f.of[i][cell + k] = cells[i].get(k);
  }
  if constexpr (returns) {
#pragma unroll 1
    for (int k = 0; k < width; ++k) {
      if (!flags.has(k, D3Q19_NEAR)) continue;
      Compute site[19];  // just written: an index k would move `cells` from registers to memory
#pragma unroll
      for (int i = 0; i < 19; ++i)
        site[i] = Storage::load(step.f.of[i][cell + k], weight(i));
      for_each_returned(Neighbours(step, x + k, y, z), site, step.speed, [&, x = x, y = y, z = z](int i, Compute returned) {
        step.f.of[d3q19_opposite[i]][step.to(i, x + k, y, z)] = Storage::store(returned, weight(i));
      });
    }
  }
}

/// Threads of a block at most, of kernels that call update_vector().
constexpr int most_vector_threads = 256;

/// Launch bound of these kernels, for which the compiler takes as many registers as a vector needs: 128 for 16 bytes in
/// single and half precision, about 140 in double precision.
template <int width, class real>
constexpr int vector_bound = sizeof(real) * width == 16 && sizeof(real) < 8 ? most_vector_threads : 384;

/// Advances the lattice by one step: one thread per vector.
template <int width, class real, bool returns = true>
__global__ void __launch_bounds__(vector_bound<width, real>) update_vectors(Step<real> step) {
  const auto [x, y, z] = first_cell(blockIdx.x * blockDim.x + threadIdx.x, step.box, width);
  const auto flags =
      z < step.box.nz ? Flags<width>::of(step.flags.data + step.cell(x, y, z)) : Flags<width>::same(D3Q19_INSIDE);
  update_vector<returns>(step, {x, y, z, 0, step.box.nx}, flags);
}

/// The tunable `width`, for rungs whose threads update as many cells as a word has flags unless told otherwise.
inline ladder::Tunable quad_tunable() {
  ladder::Tunable width = lattice::cuda::width_tunable();
  width.initial = 4;
  return width;
}

}  // namespace d3q19
