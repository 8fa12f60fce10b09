#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <type_traits>
#include <vector>

#include "backends/cuda/cells.hpp"
#include "backends/cuda/launch.hpp"
#include "backends/cuda/vectors.hpp"
#include "variants/d2q9r/cuda/pass_shape.hpp"
#include "variants/d2q9r/cuda/solver.hpp"

/// Passes through memory that advance the lattice by one or several steps each, as in d2q9 (variants/d2q9/cuda/pass.hpp).
///
/// A warp marches north through a segment of rows, in a strip of neighbouring columns; each lane has `width` of them, and
/// neighbours along x exchange populations with shuffles. Each step invalidates one more column at each end of the strip,
/// because populations from beyond it are missing. Strips therefore overlap by `margin` lanes at each end, whose cells another
/// warp stores. For the same reason, a warp starts some rows before its segment and ends as many rows after it.
namespace d2q9r {

/// 32-bit registers per value.
template <class real>
constexpr int words = sizeof(lattice::Compute<real>) / sizeof(float);

/// Minimum number of blocks of most_pass_threads threads that fit on a multiprocessor. It bounds the registers per thread, and
/// is meant to cause few or no spills: each column has `waiting` values per step in registers, and up to 12 for what is loaded
/// early and updated.
template <int steps, int width, class real, int waiting = 8>
constexpr int least_pass_blocks = [] {
  constexpr int registers = (waiting * steps + 12) * width * words<real>;
  return registers <= 88 ? 4 : registers <= 120 ? 3 : 2;
}();

/// Arguments of a pass over lattices with `count` values per cell, [count][ny][pitch].
template <int count, class real>
struct Pass {
  Arrays<count, const real> from;
  Arrays<count, real> to;
  int nx, ny;
  unsigned pitch;
  /// The number of warps and strips, the lanes by which neighbouring strips overlap at each end, and the rows per segment; the
  /// last segment may have fewer.
  int warps, strips, margin, rows;
  Relaxation<lattice::Compute<real>> relaxation;
};

/// A lane's part of the grid: `width` columns starting at x, in rows `first` to `last` (exclusive).
template <int width>
struct Part {
  int warp, lane;
  int x;
  int first, last;
  bool owned;  ///< whether the lane stores its cells; if not, another warp does

  template <int count, class real>
  __device__ explicit Part(const Pass<count, real>& pass)
      : warp(static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32)), lane(static_cast<int>(threadIdx.x % 32)) {
    const int column = (warp % pass.strips * (32 - 2 * pass.margin) + lane - pass.margin) * width;
    x = wrapped_far(column, pass.nx);
    first = warp / pass.strips * pass.rows;
    last = min(first + pass.rows, pass.ny);
    owned = lane >= pass.margin && lane < 32 - pass.margin && column < pass.nx;
  }
};

/// A row and its neighbours, as indices of their first cells; rows wrap around.
struct RowsAround {
  unsigned south, here, north, pitch, end;

  template <int count, class real>
  __device__ RowsAround(int y, const Pass<count, real>& pass) : pitch(pass.pitch), end(pass.ny * pitch) {
    south = wrapped_far(y - 1, pass.ny) * pitch;
    here = wrapped_far(y, pass.ny) * pitch;
    north = wrapped_far(y + 1, pass.ny) * pitch;
  }
  /// The row that populations moving by dy rows come from.
  [[nodiscard]] __device__ unsigned from(int dy) const { return dy == 0 ? here : dy > 0 ? south : north; }
  __device__ void next() {
    south = here;
    here = north;
    north = north + pitch < end ? north + pitch : 0;
  }
};

/// Loads a lane's cells of a row, starting at index `cell`. They remain in the form in which they are stored, so the warp
/// does not wait for them yet.
template <int width, int count, class real>
__device__ void load_row(Cells<real, width> (&cells)[count], const Pass<count, real>& pass, unsigned cell) {
#pragma unroll
  for (int n = 0; n < count; ++n)
    cells[n] = load_cells<width>(pass.from.of[n] + cell);
}
/// Converts these cells to values.
template <int width, int count, class real>
__device__ void unpack(const Cells<real, width> (&cells)[count], lattice::Compute<real> (&values)[width][count]) {
#pragma unroll
  for (int v = 0; v < width; ++v)
#pragma unroll
    for (int n = 0; n < count; ++n)
      values[v][n] = lattice::Storage<real>::load(cells[n].v[v]);
}
/// Stores the values of a lane's cells in row y, if the lane owns them.
template <int width, int count, class real>
__device__ void store_row(const lattice::Compute<real> (&values)[width][count], const Pass<count, real>& pass,
                          const Part<width>& part, int y) {
  if (!part.owned) return;
  const unsigned cell = static_cast<unsigned>(y) * pass.pitch + part.x;
#pragma unroll
  for (int n = 0; n < count; ++n) {
    Cells<real, width> cells;
#pragma unroll
    for (int v = 0; v < width; ++v)
      cells.v[v] = lattice::Storage<real>::store(values[v][n]);
    store_cells(pass.to.of[n] + cell, cells);
  }
}

/// Traffic of a rung that reads `beyond` more rows per segment. If the number of rows depends on the GPU, assumes that 12 warps
/// run on each multiprocessor.
inline std::vector<ladder::Traffic> pass_traffic(int count, double real, const Case& c, const ladder::Tuning& tuning,
                                                 int beyond) {
  const auto gpu = Device::available();
  const int resident = 12 * (gpu ? gpu->multiprocessors() : 100);
  const PassShape shape = PassShape::tuned(c, tuning, std::max<std::size_t>(static_cast<std::size_t>(real), sizeof(float)));
  return {shape.filled(c, resident).traffic(count, real, c, beyond)};
}

/// Kernels by number of steps.
template <int count, class real>
using PassKernels = std::map<int, void (*)(Pass<count, real>)>;

/// The kernel for a shape, and those with fewer steps for the last pass. `kernel(steps, width)` returns the kernel for these
/// compile-time constants.
template <int count, class real, class OfKernel>
PassKernels<count, real> pass_kernels(const PassShape& shape, OfKernel&& kernel) {
  PassKernels<count, real> kernels;
  const auto add = [&](auto width, auto steps) {
    if constexpr (width * words<real> <= 4 && width * steps * words<real> <= most_waiting)
      if (width == shape.width && steps <= shape.steps) kernels[steps] = kernel(steps, width);
  };
  const auto add_all = [&]<int... n>(auto width, std::integer_sequence<int, n...>) {
    (add(width, std::integral_constant<int, n>{}), ...);
  };
  using Steps = std::integer_sequence<int, 1, 2, 3, 4, 6, 8>;
  add_all(std::integral_constant<int, 1>{}, Steps{});
  add_all(std::integral_constant<int, 2>{}, Steps{});
  add_all(std::integral_constant<int, 4>{}, Steps{});
  return kernels;
}

/// Base of the solvers: passes with the tuned number of steps, and shorter ones for the remainder.
template <class Lattices, class real>
class PassSolver : public Lattices {
  using Kernels = PassKernels<Lattices::count, real>;

 public:
  void advance(std::int64_t steps) override {
    while (steps > 0) {
      const int most = static_cast<int>(std::min<std::int64_t>(steps, shape_.steps));
      const auto& [now, kernel] = *std::prev(kernels_.upper_bound(most));
      (*over_)(kernel, pass());
      this->swap_lattices();
      steps -= now;
    }
  }

 protected:
  /// `kernel(steps, width)` is as for pass_kernels(). Each lane has `shared` values per column and step in shared memory.
  /// @throws ladder::Unavailable without a GPU; ladder::InputError beyond its limits
  template <class OfKernel>
  PassSolver(const Case& c, const ladder::Tuning& tuning, OfKernel&& kernel, int shared = 0)
      : Lattices(c, {static_cast<std::size_t>(tuning.at("threads")), 1}),
        shape_(PassShape::tuned(c, tuning, sizeof(lattice::Compute<real>))),
        kernels_(pass_kernels<Lattices::count, real>(shape_, kernel)) {
    const auto values = static_cast<std::size_t>(shared * shape_.width * shape_.steps * shape_.threads);
    const auto launch = [&](std::size_t warps) {
      return over(this->device_, {32 * warps, 1}, this->block_, values * sizeof(lattice::Compute<real>));
    };
    std::size_t blocks = 0;  // for the longest pass
    for (const auto& of_steps : kernels_)
      blocks = resident_blocks(launch(1), of_steps.second);
    shape_ = shape_.filled(c, static_cast<int>(blocks) * shape_.threads / 32);
    over_.emplace(launch(static_cast<std::size_t>(shape_.warps(c))));
  }

 private:
  [[nodiscard]] Pass<Lattices::count, real> pass() {
    constexpr int count = Lattices::count;
    const auto apart = static_cast<std::size_t>(this->strides_.q);
    return {.from = Arrays<count, const real>::from(this->f(), apart),
            .to = Arrays<count, real>::from(this->g(), apart),
            .nx = this->case_.nx,
            .ny = this->case_.ny,
            .pitch = static_cast<unsigned>(this->strides_.y),
            .warps = shape_.warps(this->case_),
            .strips = shape_.strips(this->case_),
            .margin = shape_.margin,
            .rows = shape_.rows,
            .relaxation = Relaxation<lattice::Compute<real>>(this->case_.omega())};
  }

  PassShape shape_;
  const Kernels kernels_;
  std::optional<Launch> over_;
};

}  // namespace d2q9r
