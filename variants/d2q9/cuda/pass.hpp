#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "backends/cuda/cells.hpp"
#include "backends/cuda/vectors.hpp"
#include "variants/d2q9/cuda/solver.hpp"

/// Passes through memory that advance the lattice by several steps.
///
/// A warp marches north through a segment of rows, in a strip of neighbouring columns; each lane has `width` of them. Its
/// pipeline has one stage per step: stage k updates the row south of the one that stage k - 1 has just updated. Populations
/// that move south pass from stage to stage at once, those that stay in their row wait for one row, and those that move north
/// wait for two. Neighbours along x exchange populations by shuffles.
///
/// A stage makes one more column wrong at each end of the strip, because populations from beyond it are missing; the first
/// reads them from memory. Strips therefore overlap by `margin` lanes at each end, whose cells another warp stores. For the
/// same reason a warp starts the first stage steps - 1 rows before its segment, and ends it as many rows after.
namespace d2q9 {

/// Most threads of a block: few, so that each may use all the registers that it needs.
constexpr int most_pass_threads = 128;

/// Arguments of a pass.
template <class real>
struct Pass {
  /// The populations before and after the pass, [9][ny][pitch].
  Arrays<9, const real> f;
  Arrays<9, real> g;
  /// [step][warp]: the sum of |u| over the fluid cells that a warp owns.
  real* speeds;
  int warps;
  /// Strips, the lanes of a strip that overlap with the next at each end, and the rows of a segment; the last may have fewer.
  int strips, margin, rows;
  /// The row to accelerate for the next step, -1: none. After the last step of the pass it is accelerated if there are `more`.
  int driven;
  bool more;
  Problem<real> c;
};

/// `n` modulo a side; n may be any number.
__device__ inline int wrapped_far(int n, int side) {
  n %= side;
  return n < 0 ? n + side : n;
}

/// A lane's part of the grid: `width` columns from x on, in the rows from `first` to before `last`.
template <int width>
struct Part {
  int warp, lane;
  int x;
  int first, last;
  bool owned;  ///< whether the lane stores its cells; otherwise another warp does

  template <class real>
  __device__ explicit Part(const Pass<real>& pass)
      : warp(static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32)), lane(static_cast<int>(threadIdx.x % 32)) {
    const int column = (warp % pass.strips * (32 - 2 * pass.margin) + lane - pass.margin) * width;
    x = wrapped_far(column, pass.c.nx);
    first = warp / pass.strips * pass.rows;
    last = min(first + pass.rows, pass.c.ny);
    owned = lane >= pass.margin && lane < 32 - pass.margin && column < pass.c.nx;
  }

  /// Whether populations that move by dx columns come from beyond the strip, and the column that they come from.
  __device__ bool at_end(int dx) const { return dx > 0 ? lane == 0 : dx < 0 && lane == 31; }
  __device__ int beyond(int dx, int nx) const { return dx > 0 ? (x > 0 ? x - 1 : nx - 1) : (x + width < nx ? x + width : 0); }
};

/// A row and its neighbours, as indices of their first cells; rows wrap around.
struct RowsAround {
  unsigned south, here, north, pitch, end;

  template <class real>
  __device__ RowsAround(int y, const Problem<real>& c) : pitch(c.pitch), end(c.ny * pitch) {
    south = wrapped_far(y - 1, c.ny) * pitch;
    here = wrapped_far(y, c.ny) * pitch;
    north = wrapped_far(y + 1, c.ny) * pitch;
  }
  /// The row that populations come from that move by dy rows.
  __device__ unsigned from(int dy) const { return dy == 0 ? here : dy > 0 ? south : north; }
  __device__ void next() {
    south = here;
    here = north;
    north = north + pitch < end ? north + pitch : 0;
  }
};

/// Cells of a lane moved by dx columns: one comes from the neighbouring lane, or is `beyond` at the end of the strip.
template <class T, int width>
__device__ Cells<T, width> moved(const Cells<T, width>& cells, int dx, bool at_end = false, T beyond = {}) {
  if (dx == 0) return cells;
  const T from = dx > 0 ? __shfl_up_sync(0xffffffffu, cells.v[width - 1], 1) : __shfl_down_sync(0xffffffffu, cells.v[0], 1);
  const T next = at_end ? beyond : from;
  return dx > 0 ? moved_east(next, cells) : moved_west(cells, next);
}

/// Moves the populations that left the cells of a strip along x, to the cells that they arrive in.
template <int width, class real>
__device__ void move_along_x(Cells<real, width> (&s)[9]) {
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = moved(s[i], d2q9_cx[i]);
}

/// Reads the populations that arrive in a row.
template <int width, class real>
__device__ void read_arrivals(Cells<real, width> (&s)[9], const Pass<real>& pass, const Part<width>& part,
                              const RowsAround& rows) {
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    const real* const row = pass.f.of[i] + rows.from(d2q9_cy[i]);
    const bool at_end = part.at_end(d2q9_cx[i]);
    const real beyond = at_end ? row[part.beyond(d2q9_cx[i], pass.c.nx)] : real{0};
    s[i] = moved(load_cells<width>(row + part.x), d2q9_cx[i], at_end, beyond);
  }
}

/// Writes a row of the lanes that own their cells.
template <int width, class real>
__device__ void write_row(const Cells<real, width> (&s)[9], const Pass<real>& pass, const Part<width>& part, int y) {
  const unsigned first = y * pass.c.pitch + part.x;
#pragma unroll
  for (int i = 0; i < 9; ++i)
    if (part.owned) store_cells(pass.g.of[i] + first, s[i]);
}

/// Obstacles among the cells of a lane from number `cell` on: bit v marks cell v.
template <int width, class real>
__device__ unsigned obstacles(const Problem<real>& c, unsigned cell) {
  const auto bytes = load_cells<width>(c.solid + cell);
  unsigned bits = 0;
#pragma unroll
  for (int v = 0; v < width; ++v)
    bits |= static_cast<unsigned>(bytes.v[v]) << v;
  return bits;
}

/// Exchanges the cells of a lane with those that wait.
template <int width, class real>
__device__ void exchange(Cells<real, width>& cells, Cells<real, width>& waiting) {
  const Cells<real, width> next = waiting;
  waiting = cells;
  cells = next;
}

__device__ constexpr int in_row[3] = {0, 1, 3};     ///< directions that stay in their row
__device__ constexpr int northward[3] = {2, 5, 6};  ///< directions that lead north

/// The delay between two stages: takes the populations that leave a row, and gives those that arrive in the row south of it.
/// Those of the first rows are zero; no cell that a warp stores depends on them.
template <int width, class real>
class Delay {
 public:
  __device__ void pass(Cells<real, width> (&s)[9]) {
#pragma unroll
    for (int n = 0; n < 3; ++n) {
      exchange(s[in_row[n]], in_row_[n]);
      exchange(s[northward[n]], northward_[0][n]);
      exchange(s[northward[n]], northward_[1][n]);
    }
  }

 private:
  Cells<real, width> in_row_[3] = {};
  Cells<real, width> northward_[2][3] = {};  ///< of the last row, and of the row before
};

/// `bits` of each of the last rows.
template <int bits>
class History {
 public:
  __device__ void push(unsigned row) { rows_ = rows_ << bits | row; }
  /// Those of the row so many rows ago, in the lowest bits; others follow.
  __device__ unsigned of(int ago) const { return rows_ >> bits * ago; }

 private:
  unsigned rows_ = 0;
};

/// Accelerates the fluid cells of a lane.
template <int width, class real>
__device__ void accelerate(Cells<real, width> (&s)[9], unsigned solid, const Problem<real>& c) {
#pragma unroll
  for (int v = 0; v < width; ++v) {
    real f[9];
#pragma unroll
    for (int i = 0; i < 9; ++i)
      f[i] = s[i].v[v];
    if ((solid >> v & 1) == 0) d2q9_accelerate(f, c.w1, c.w2);
#pragma unroll
    for (int i = 0; i < 9; ++i)
      s[i].v[v] = f[i];
  }
}

/// Updates the cells of a lane in the arithmetic of Number, from the populations that arrive to those that leave: solid ones
/// rebound, fluid ones collide. Returns the sum of their |u|, without the solid ones.
template <class Number, int width, class real>
__device__ real update(Cells<real, width> (&s)[9], unsigned solid, const Problem<real>& c) {
  real speed = 0;
#pragma unroll
  for (int v = 0; v < width; ++v) {
    Number f[9];
    real rebounded[9];
#pragma unroll
    for (int i = 0; i < 9; ++i) {
      f[i] = s[i].v[v];
      rebounded[d2q9_opposite[i]] = s[i].v[v];
    }
    const auto speed_of_cell = static_cast<real>(sqrt(d2q9_collide(f, Number(c.omega))));
    const bool fluid = (solid >> v & 1) == 0;
    speed += fluid ? speed_of_cell : real{0};
#pragma unroll
    for (int i = 0; i < 9; ++i)
      s[i].v[v] = fluid ? static_cast<real>(f[i]) : rebounded[i];
  }
  return speed;
}

/// Stores the sums of |u| over the cells that a warp owns, one per step.
template <int steps, int width, class real>
__device__ void write_speeds(const real (&speeds)[steps], const Pass<real>& pass, const Part<width>& part) {
#pragma unroll
  for (int k = 0; k < steps; ++k) {
    const real sum = warp_sum(part.owned ? speeds[k] : real{0});
    if (part.lane == 0) pass.speeds[static_cast<std::size_t>(k) * pass.warps + part.warp] = sum;
  }
}

/// The shape of a pass.
struct PassShape {
  int steps = 1;
  int width = 1;      ///< columns of a lane
  int margin = 0;     ///< lanes that strips overlap at each end
  int rows = 64;      ///< of a segment
  int threads = 128;  ///< of a block
  int waves = 1;      ///< how many times all multiprocessors are filled, if `rows` is 0
  int shared = -1;    ///< percent of the memory for shared memory and L1 cache that shared memory takes; -1: as CUDA decides

  /// As tuned; what is not a tunable has the values above. `width` is 1 where rows are no multiple of it.
  template <class real>
  static PassShape tuned(const Case& c, const ladder::Tuning& tuning, int steps = 1) {
    const auto value = [&](const char* name, int otherwise) { return tuning.count(name) > 0 ? tuning.at(name) : otherwise; };
    PassShape shape;
    shape.steps = value("steps", steps);
    shape.width = std::min(value("width", shape.width), cells_of_16_bytes<real>);
    if (c.nx % shape.width != 0) shape.width = 1;
    shape.margin = std::max((shape.steps - 1 + shape.width - 1) / shape.width, value("margin", 0));
    shape.rows = value("rows", shape.rows);
    shape.threads = value("threads", shape.threads);
    shape.waves = value("waves", shape.waves);
    shape.shared = value("shared", shape.shared);
    return shape;
  }

  /// The shape with a number of rows, if so many warps run at once. Fewer than four rows for each row that a warp computes
  /// beyond its segment cost more than more warps bring.
  [[nodiscard]] PassShape filled(const Case& c, int resident) const {
    PassShape shape = *this;
    if (rows > 0) return shape;
    const int segments = std::max(waves * resident / strips(c), 1);
    shape.rows = std::max({(c.ny + segments - 1) / segments, 4 * (steps - 1), 1});
    return shape;
  }

  [[nodiscard]] int columns() const { return (32 - 2 * margin) * width; }
  [[nodiscard]] int strips(const Case& c) const { return (c.nx + columns() - 1) / columns(); }
  [[nodiscard]] int segments(const Case& c) const { return (c.ny + rows - 1) / rows; }
  [[nodiscard]] int warps(const Case& c) const { return strips(c) * segments(c); }
};

/// The shape as tunables.
inline ladder::Tunable rows_tunable(int initial) {
  return {.name = "rows",
          .meaning = "rows of a segment, through which a warp marches",
          .values = {4, 8, 16, 32, 64, 128, 256},
          .initial = initial};
}
/// The same if `waves` may decide.
inline ladder::Tunable rows_or_waves_tunable() {
  return {.name = "rows",
          .meaning = "rows of a segment, through which a warp marches; 0: as `waves` says",
          .values = {0, 4, 8, 16, 22, 32, 64, 128},
          .initial = 0};
}
inline ladder::Tunable waves_tunable() {
  return {.name = "waves",
          .meaning = "how many times all multiprocessors are filled with warps, if `rows` is 0 and segments are not too short",
          .values = {1, 2, 3, 4},
          .initial = 2};
}
inline ladder::Tunable shared_tunable() {
  return {.name = "shared",
          .meaning = "percent of the memory for shared memory and L1 cache that shared memory takes",
          .values = {58, 72, 86, 100},
          .initial = 86};
}
inline ladder::Tunable threads_tunable() {
  return {
      .name = "threads", .meaning = "threads of a block", .values = {32, 64, most_pass_threads}, .initial = most_pass_threads};
}
inline ladder::Tunable steps_tunable(int initial) {
  return {.name = "steps", .meaning = "steps of a pass", .values = {2, 3, 4, 5, 6, 8}, .initial = initial};
}
inline ladder::Tunable margin_tunable() {
  return {.name = "margin",
          .meaning = "lanes at each end of a strip whose cells another warp stores; more than this if the steps need more",
          .values = {0, 2, 3, 4, 8},
          .initial = 0};
}
inline ladder::Tunable width_tunable() {
  return {.name = "width",
          .meaning = "columns of a lane, at most 16 bytes of each direction; 1 where rows are no multiple of it",
          .values = {1, 2, 4},
          .initial = 2};
}
/// Columns of a lane times stages of which populations wait, nine of each column and stage: more do not fit in the registers.
constexpr int most_waiting = 20;
inline ladder::Constraint registers_constraint() {
  return {"width * (steps - 1) <= " + std::to_string(most_waiting) + " (registers)",
          [](const ladder::Tuning& t) { return t.at("width") * (t.at("steps") - 1) <= most_waiting; }};
}

/// Traffic of an update, in DRAM: margins are read twice, and rows before and after a segment are, too.
inline std::vector<ladder::Traffic> pass_traffic(double real, const PassShape& shape) {
  const double columns = 32.0 * shape.width / shape.columns();
  const double rows = 1 + 2.0 * (shape.steps - 1) / shape.rows;
  return {{(9 * real + 1) * columns * rows / shape.steps, 9 * real / shape.steps}};
}
inline std::vector<ladder::Traffic> pass_traffic(double real, const Case& c, const ladder::Tuning& tuning, int steps = 1) {
  constexpr int warps = 16;  // of a multiprocessor at once, as with the initial tuning
  const PassShape shape =
      real == sizeof(float) ? PassShape::tuned<float>(c, tuning, steps) : PassShape::tuned<double>(c, tuning, steps);
  return pass_traffic(real, shape.filled(c, warps * multiprocessors()));
}

/// Calls use(std::integral_constant<int, n>) for the n of `values` that is equal to `value`.
template <int... values, class Use>
void with_constant(int value, Use&& use) {
  ((value == values ? use(std::integral_constant<int, values>{}) : void()), ...);
}

/// The kernels of passes, and the numbers of shared memory that a warp of them needs.
template <class real>
struct PassKernels {
  using Kernel = void (*)(Pass<real>);
  /// By number of steps, as far as there are kernels; the last is that of a whole pass.
  std::map<int, Kernel> of_steps;
  int shared = 0;

  /// kernel(steps, width) and shared(steps, width) give them for constants.
  template <class OfKernel, class OfShared>
  static PassKernels of(const PassShape& shape, OfKernel&& kernel, OfShared&& shared) {
    PassKernels kernels;
    with_constant<1, 2, 4>(shape.width, [&](auto columns) {
      constexpr std::integral_constant<int, std::min<int>(columns, cells_of_16_bytes<real>)> width;
      for (int count = 1; count <= shape.steps; ++count)
        with_constant<1, 2, 3, 4, 5, 6, 8>(count, [&](auto constant) {
          constexpr std::integral_constant<int, width*(constant - 1) <= most_waiting ? constant : 1> steps;
          kernels.of_steps[steps] = kernel(steps, width);
          kernels.shared = std::max<int>(kernels.shared, shared(steps, width));
        });
    });
    return kernels;
  }
  template <class OfKernel>
  static PassKernels of(const PassShape& shape, OfKernel&& kernel) {
    return of(shape, kernel, [](auto, auto) { return 0; });
  }

  [[nodiscard]] Launch launch(const ladder::cuda::Device& device, const PassShape& shape, std::size_t warps) const {
    const auto threads = static_cast<std::size_t>(shape.threads);
    return over(device, {32 * warps, 1}, {threads, 1}, shared * sizeof(real) * threads / 32);
  }

  /// The shape with its number of rows. Sets the kernels up for their launches.
  [[nodiscard]] PassShape filled(PassShape shape, const Case& c, const ladder::cuda::Device& device) const {
    const Launch one = launch(device, shape, 1);
    std::size_t blocks = 0;  // of the longest pass
    for (const auto& [steps, kernel] : of_steps) {
      prefer_shared(kernel, shape.shared);
      blocks = resident_blocks(one, kernel);
    }
    return shape.filled(c, static_cast<int>(blocks) * shape.threads / 32);
  }
};

/// Base of the solvers: passes of as many steps as tuned, and shorter ones for the rest.
template <class real>
class PassSolver : public CudaSolver<real> {
 public:
  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) this->accelerate();
    while (steps > 0) {
      const auto most = static_cast<int>(std::min<std::int64_t>(steps, speeds_.left()));
      const auto& [now, kernel] = *std::prev(kernels_.of_steps.upper_bound(most));
      steps -= now;
      queue(kernel, steps > 0);
      speeds_.record(static_cast<std::size_t>(now));
    }
  }

  std::span<const double> history() override { return speeds_.history(); }

 protected:
  /// @throws ladder::Unavailable without a GPU; ladder::InputError beyond its limits
  PassSolver(const Case& c, const PassShape& shape, const PassKernels<real>& kernels)
      : CudaSolver<real>(c, {static_cast<std::size_t>(shape.threads), 1}, padded_rows<real>(c)),
        kernels_(kernels),
        shape_(kernels.filled(shape, c, this->device_)) {}

 private:
  /// Queues a pass, after whose last step the driven row is accelerated if there are `more`.
  void queue(typename PassKernels<real>::Kernel kernel, bool more) {
    const auto plane = static_cast<std::size_t>(this->strides_.q);
    const Pass<real> pass{
        .f = Arrays<9, const real>::from(this->f(), plane),
        .g = Arrays<9, real>::from(this->g(), plane),
        .speeds = speeds_.next(),
        .warps = shape_.warps(this->case_),
        .strips = shape_.strips(this->case_),
        .margin = shape_.margin,
        .rows = shape_.rows,
        .driven = this->driven_row(),
        .more = more,
        .c = this->problem(),
    };
    over_(kernel, pass);
    this->turn();
  }

  const PassKernels<real> kernels_;
  const PassShape shape_;
  const Shape warps_ = {static_cast<std::size_t>(shape_.warps(this->case_)), 1};
  const Launch over_ = kernels_.launch(this->device_, shape_, warps_.x);
  DeferredSums<real> speeds_{this->device_, warps_, this->fluid_cells_};
};

}  // namespace d2q9
