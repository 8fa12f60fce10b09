#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cuda/cells.hpp"
#include "backends/cuda/vectors.hpp"
#include "variants/d2q9/cuda/pass_shape.hpp"
#include "variants/d2q9/cuda/solver.hpp"

/// Passes through memory that advance the lattice by several steps each.
///
/// A warp marches north through a segment of rows, in a strip of neighbouring columns; each lane has `width` of them. Its
/// pipeline has one stage per step: stage k updates the row south of the one that stage k - 1 has just updated. Populations
/// that move south are passed to the next stage immediately, those that stay in their row wait for one row, and those that move
/// north wait for two. Neighbours along x exchange populations with shuffles.
///
/// Each stage invalidates one more column at each end of the strip, because populations from beyond it are missing. Strips
/// therefore overlap by `margin` lanes at each end, whose cells another warp stores. For the same reason a warp starts the
/// first stage steps - 1 rows before its segment, and ends it as many rows after.
namespace d2q9 {

/// Minimum number of blocks of most_pass_threads that fit on a multiprocessor: a bound on registers, where the compiler can
/// honour it.
template <int steps, int width, class real>
constexpr int least_pass_blocks = sizeof(real) == 4 && width <= 2 && steps* width <= 12 ? 4 : 1;

/// Arguments of a pass.
template <class real>
struct Pass {
  /// The populations before and after the pass, [9][ny][pitch].
  Arrays<9, const real> f;
  Arrays<9, real> g;
  /// [step][warp]: the sum of |u| over the fluid cells that a warp owns.
  real* speeds;
  int warps;
  /// The number of strips, the lanes by which neighbouring strips overlap at each end, and the rows per segment; the last
  /// segment may have fewer.
  int strips, margin, rows;
  /// The row to accelerate for the next step, or -1 for none. After the last step of the pass, only if `more` is set.
  int driven;
  bool more;
  Problem<real> c;
};

/// A lane's part of the grid: `width` columns starting at x, in rows `first` to `last` (exclusive).
template <int width>
struct Part {
  int warp, lane;
  int x;
  int first, last;
  bool owned;  ///< whether the lane stores its cells; if not, another warp does

  template <class real>
  __device__ explicit Part(const Pass<real>& pass)
      : warp(static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32)), lane(static_cast<int>(threadIdx.x % 32)) {
    const int column = (warp % pass.strips * (32 - 2 * pass.margin) + lane - pass.margin) * width;
    x = wrapped_far(column, pass.c.nx);
    first = warp / pass.strips * pass.rows;
    last = min(first + pass.rows, pass.c.ny);
    owned = lane >= pass.margin && lane < 32 - pass.margin && column < pass.c.nx;
  }
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
  /// Returns the row that populations moving by dy rows come from.
  __device__ unsigned from(int dy) const { return dy == 0 ? here : dy > 0 ? south : north; }
  __device__ void next() {
    south = here;
    here = north;
    north = north + pitch < end ? north + pitch : 0;
  }
};

/// Reads the populations that arrive in a row, from the columns that they left.
template <int width, class real>
__device__ void read_arrivals(Cells<real, width> (&s)[9], const Pass<real>& pass, const Part<width>& part,
                              const RowsAround& rows) {
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = load_cells<width>(pass.f.of[i] + rows.from(d2q9_cy[i]) + part.x);
}

/// Writes a row, in the lanes that own their cells.
template <int width, class real>
__device__ void write_row(const Cells<real, width> (&s)[9], const Pass<real>& pass, const Part<width>& part, int y) {
  const unsigned first = y * pass.c.pitch + part.x;
#pragma unroll
  for (int i = 0; i < 9; ++i)
    if (part.owned) store_cells(pass.g.of[i] + first, s[i]);
}

/// Returns the obstacles among a lane's cells, starting at index `cell`: bit v marks cell v.
template <int width, class real>
__device__ unsigned obstacles(const Problem<real>& c, unsigned cell) {
  const auto bytes = load_cells<width>(c.solid + cell);
  unsigned bits = 0;
#pragma unroll
  for (int v = 0; v < width; ++v)
    bits |= static_cast<unsigned>(bytes.v[v]) << v;
  return bits;
}

/// Swaps a lane's cells with the waiting ones.
template <int width, class real>
__device__ void exchange(Cells<real, width>& cells, Cells<real, width>& waiting) {
  const Cells<real, width> next = waiting;
  waiting = cells;
  cells = next;
}

__device__ constexpr int in_row[3] = {0, 1, 3};     ///< directions that stay in their row
__device__ constexpr int northward[3] = {2, 5, 6};  ///< directions that point north

/// The delay between two stages: takes the populations that leave a row, and returns those that arrive in the row south of it.
/// The first rows that arrive are zero; no cell that a warp stores depends on them.
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
  Cells<real, width> northward_[2][3] = {};  ///< of the last row and of the row before it
};

/// A history of `bits` bits per row.
template <int bits>
class History {
 public:
  __device__ void push(unsigned row) { rows_ = rows_ << bits | row; }
  /// Returns the bits of the row `ago` rows ago as the lowest bits; the bits above belong to earlier rows.
  __device__ unsigned of(int ago) const { return rows_ >> bits * ago; }
  /// Returns the bits of the last `count` rows.
  __device__ unsigned last(int count) const { return rows_ & ((1u << bits * count) - 1); }

 private:
  unsigned rows_ = 0;
};

/// Accelerates a lane's fluid cells.
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

/// Variants of the collision.
struct Factored {
  template <class Number>
  __device__ static Number collide(Number* f, Number omega) {
    return d2q9_collide(f, omega);
  }
};
struct InMomentum {
  template <class Number>
  __device__ static Number collide(Number* f, Number omega) {
    Number factors[D2Q9_MOMENTUM_FACTORS];
    d2q9_momentum_factors(factors, omega);
    return d2q9_collide_momentum(f, factors);
  }
};

/// Updates a lane's cells in the arithmetic of Number, from the arriving populations to the leaving ones: solid cells rebound,
/// fluid cells collide. Returns the sum of |u| over the fluid cells.
template <class Number, class Collision = Factored, int width, class real>
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
    const auto speed_of_cell = static_cast<real>(sqrt(Collision::collide(f, Number(c.omega))));
    const bool fluid = (solid >> v & 1) == 0;
    speed += fluid ? speed_of_cell : real{0};
#pragma unroll
    for (int i = 0; i < 9; ++i)
      s[i].v[v] = fluid ? static_cast<real>(f[i]) : rebounded[i];
  }
  return speed;
}
/// Same as update(), for fluid cells only.
template <class Number, class Collision = Factored, int width, class real>
__device__ real update_fluid(Cells<real, width> (&s)[9], const Problem<real>& c) {
  real speed = 0;
#pragma unroll
  for (int v = 0; v < width; ++v) {
    Number f[9];
#pragma unroll
    for (int i = 0; i < 9; ++i)
      f[i] = s[i].v[v];
    speed += static_cast<real>(sqrt(Collision::collide(f, Number(c.omega))));
#pragma unroll
    for (int i = 0; i < 9; ++i)
      s[i].v[v] = static_cast<real>(f[i]);
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

}  // namespace d2q9
