#pragma once

#include <cstddef>
#include <cstdint>

#include "variants/lattice/d2q9.h"

/// Blocks that keep strips of rows on the chip over many steps, in place (AA pattern). An even step finds each population in
/// its own slot and fetches it from the neighbour; an odd step (`local`) finds it in the cell that it moves to, in the slot of
/// the opposite direction. Populations that cross an edge of a strip go through halos.
namespace d2q9 {

/// Largest block size that leaves each thread enough registers for an update.
template <class real>
constexpr int most_threads = sizeof(real) == 4 ? 1024 : 512;

/// The directions that point north and south.
__device__ constexpr int northward[3] = {2, 5, 6};
__device__ constexpr int southward[3] = {4, 7, 8};

/// Returns the index of population i of cell (x, y) of an nx × ny grid in global memory, f[9][y][x].
__device__ inline std::size_t at(int i, int x, int y, int nx, int ny) {
  return (static_cast<std::size_t>(i) * ny + y) * nx + x;
}

/// A cell of a strip, and the columns next to it.
struct Cell {
  int x, y, west, east;

  __device__ Cell(int x_, int y_, int nx) : x(x_), y(y_), west(x > 0 ? x - 1 : nx - 1), east(x < nx - 1 ? x + 1 : 0) {}
  /// Returns the column that direction i points to.
  __device__ int to(int i) const { return d2q9_cx[i] == 0 ? x : d2q9_cx[i] > 0 ? east : west; }
};

/// Which rows an update of a cell touches: all in shared memory, all in global memory, or any rows, including those beyond an
/// edge.
enum class Rows { shared, global, any };

/// A strip of whole rows. `Memory` says where its populations are: `nx`, `rows` and at<Rows>(i, x, y).
template <class Memory>
struct Strip : Memory {
  /// Returns whether direction i points from row y out of the strip.
  __device__ bool leaves(int i, int y) const { return (d2q9_cy[i] > 0 && y == this->rows - 1) || (d2q9_cy[i] < 0 && y == 0); }

  /// Returns the slot of the population that moves into a cell in direction i: in the neighbour, or in the cell itself if the
  /// step is odd or the population came over an edge. The population that leaves in direction i goes to the slot of
  /// d2q9_opposite[i], which no other thread touches.
  template <bool local, Rows where>
  __device__ auto& place(int i, Cell c) const {
    if (local || (where == Rows::any && leaves(d2q9_opposite[i], c.y)))
      return this->template at<where>(d2q9_opposite[i], c.x, c.y);
    return this->template at<where>(i, c.to(d2q9_opposite[i]), c.y - d2q9_cy[i]);
  }

  /// Moves each population from where an even step left it to its own slot.
  __device__ void settle(Cell c) const {
    for (const int i : {1, 2, 5, 6})
      if (!leaves(i, c.y)) {
        auto& here = this->template at<Rows::any>(i, c.x, c.y);
        auto& there = this->template at<Rows::any>(d2q9_opposite[i], c.to(i), c.y + d2q9_cy[i]);
        const auto value = here;
        here = there;
        there = value;
      }
  }
};

/// Rows in shared memory, f[9][rows][nx].
template <class real>
struct SharedRows {
  real* f;
  int nx, rows;

  template <Rows>
  __device__ real& at(int i, int x, int y) const {
    return f[(i * rows + y) * nx + x];
  }
};

/// Loads and stores of global memory that other multiprocessors also write and read; they bypass this multiprocessor's cache.
struct ThroughL2 {
  template <class real>
  static __device__ real load(const real* from) {
    return __ldcg(from);
  }
  template <class real>
  static __device__ void store(real* to, real value) {
    __stcg(to, value);
  }
};

/// Loads and stores of the shared memory of any block of a cluster.
struct Direct {
  template <class real>
  static __device__ real load(const real* from) {
    return *from;
  }
  template <class real>
  static __device__ void store(real* to, real value) {
    *to = value;
  }
};

/// The halos of a strip, [3][nx]: the sources of populations that arrive over the southern and the northern edge, and the
/// destinations of those that leave.
template <class real, class Access = ThroughL2>
struct Halos {
  const real *from_south, *from_north;
  real *to_south, *to_north;

  /// Sends the populations that leave the cell of an edge row.
  template <class Strip>
  __device__ void send(const real* s, const Strip& strip, Cell c) const {
    for (int k = 0; k < 3; ++k) {
      if (c.y == 0) Access::store(to_south + k * strip.nx + c.x, s[southward[k]]);
      if (c.y == strip.rows - 1) Access::store(to_north + k * strip.nx + c.x, s[northward[k]]);
    }
  }

  /// Moves the populations that arrive over the edges to where the cells of the edge rows read them.
  template <class Strip>
  __device__ void receive(const Strip& strip) const {
    for (int x = threadIdx.x; x < strip.nx; x += blockDim.x) {
      const Cell c(x, 0, strip.nx);
      real south[3], north[3];
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        south[k] = Access::load(from_south + k * strip.nx + c.to(d2q9_opposite[northward[k]]));
        north[k] = Access::load(from_north + k * strip.nx + c.to(d2q9_opposite[southward[k]]));
      }
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        strip.template at<Rows::any>(d2q9_opposite[northward[k]], x, 0) = south[k];
        strip.template at<Rows::any>(d2q9_opposite[southward[k]], x, strip.rows - 1) = north[k];
      }
    }
  }
};

/// Halos in global memory, [2][strip][2][3][nx]: for each parity of the step, the populations that leave a strip to the south
/// (side 0) and north (side 1). A block writes the halos of one parity while its neighbours read those of the other.
template <class real>
struct Exchange {
  real* halos;

  __device__ static int south() { return blockIdx.x > 0 ? blockIdx.x - 1 : gridDim.x - 1; }
  __device__ static int north() { return blockIdx.x < gridDim.x - 1 ? blockIdx.x + 1 : 0; }
  __device__ real* halo(int parity, int strip, int side, int nx) const {
    return halos + (((static_cast<std::size_t>(parity) * gridDim.x + strip) * 2 + side) * 3) * nx;
  }
  /// Returns the halos that this block reads and writes in a step.
  __device__ Halos<real> of(int step, int nx) const {
    return {halo(step % 2, south(), 1, nx), halo(step % 2, north(), 0, nx), halo((step + 1) % 2, blockIdx.x, 0, nx),
            halo((step + 1) % 2, blockIdx.x, 1, nx)};
  }
};

/// Calls call(k, cell) for the k-th cell of a strip that this thread works on; the cells are the same in all steps.
template <class Call>
__device__ void for_own_cells(int nx, int rows, Call&& call) {
  const int dx = blockDim.x % nx, dy = blockDim.x / nx;
  int x = threadIdx.x % nx, y = threadIdx.x / nx;
#pragma unroll 1
  for (int k = 0; y < rows; ++k) {
    call(k, Cell(x, y, nx));
    x += dx;
    y += dy;
    if (x >= nx) {
      x -= nx;
      ++y;
    }
  }
}

/// Reads a strip, starting at row `first` of `ny`, and sends its halos as an odd step before the first one would. Bit k of the
/// result marks this thread's k-th cell as an obstacle.
template <class Strip, class Halos, class real>
__device__ unsigned load(const Strip& strip, const Halos& halos, const real* f, const std::uint8_t* solid, int first, int ny) {
  unsigned obstacles = 0;
  for_own_cells(strip.nx, strip.rows, [&](int k, Cell cell) {
    if (solid[at(0, cell.x, first + cell.y, strip.nx, ny)]) obstacles |= 1u << k;
    real s[9];
#pragma unroll
    for (int i = 0; i < 9; ++i)
      strip.template at<Rows::shared>(i, cell.x, cell.y) = s[i] = f[at(i, cell.x, first + cell.y, strip.nx, ny)];
    halos.send(s, strip, cell);
  });
  return obstacles;
}

/// Writes the first `kept` rows of a strip, which are in shared memory, back after `steps` steps, each population to its own
/// slot.
template <class Strip, class real>
__device__ void store(const Strip& strip, int kept, int steps, real* f, int first, int ny) {
  if (steps % 2 != 0) {
    for_own_cells(strip.nx, strip.rows, [&](int, Cell cell) { strip.settle(cell); });
    __syncthreads();
  }
  for_own_cells(strip.nx, kept, [&](int, Cell cell) {
#pragma unroll
    for (int i = 0; i < 9; ++i)
      f[at(i, cell.x, first + cell.y, strip.nx, ny)] = strip.template at<Rows::shared>(i, cell.x, cell.y);
  });
}

}  // namespace d2q9
