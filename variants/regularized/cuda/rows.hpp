#pragma once

#include <string>
#include <type_traits>

#include "variants/regularized/cuda/blocked.hpp"

/// Blocks whose warps own rows of a tile and march through planes, two steps per pass. Populations move along x by shuffles
/// within a warp. What then leaves a row along y is summed along x first, and moves between warps through shared memory.
namespace regularized {

/// Sums over populations with the same cy and cz that arrive in a column from the cells of one row: of 1, cx and cx^2. `x` and
/// `xx` are not used if the lattice has only cx = 0 for that cy and cz.
template <class real>
struct RowSums {
  real all, x, xx;
};
/// The same for all cz, by 1 + cz.
template <class real>
struct RowsSums {
  RowSums<real> of[3];
};

/// Whether there are populations that move along x and y in a plane cz, and the values that a row passes to another one.
template <int cz>
inline constexpr bool has_diagonals = Direction<1, 1, cz>::exists;
inline constexpr int passed = 3 + 2 * (has_diagonals<-1> + has_diagonals<0> + has_diagonals<1>);

namespace detail {

/// Lanes are columns; f[q] are the populations that leave this lane's cell.
template <int cy, int cz, class real>
__device__ __forceinline__ RowSums<real> sum_row(const real* f) {
  RowSums<real> sums{f[Direction<0, cy, cz>::index], 0, 0};
  if constexpr (Direction<1, cy, cz>::exists) {
    const real east = __shfl_up_sync(~0U, f[Direction<1, cy, cz>::index], 1);
    const real west = __shfl_down_sync(~0U, f[Direction<-1, cy, cz>::index], 1);
    sums.x = east - west;
    sums.xx = east + west;
    sums.all += sums.xx;
  }
  return sums;
}
template <int cy, class real>
__device__ __forceinline__ RowsSums<real> sum_row(const real* f) {
  return {sum_row<cy, -1>(f), sum_row<cy, 0>(f), sum_row<cy, 1>(f)};
}

/// Calls visit(n, value) for the values that are passed to another row, n = 0 … passed - 1.
template <class Sums, class Visit>
__device__ __forceinline__ void for_each_passed(Sums& sums, const Visit& visit) {
  int n = 0;
  const auto visit_plane = [&](auto cz) {
    auto& of = sums.of[1 + decltype(cz)::value];
    visit(n++, of.all);
    if constexpr (has_diagonals<decltype(cz)::value>) {
      visit(n++, of.x);
      visit(n++, of.xx);
    }
  };
  visit_plane(std::integral_constant<int, -1>{});
  visit_plane(std::integral_constant<int, 0>{});
  visit_plane(std::integral_constant<int, 1>{});
}

/// The sums over populations with c_z = `cz` that arrive in a cell from its own row, from the south and from the north.
template <int cz, class real>
__device__ __forceinline__ PlaneSums<real> sum_plane(const RowsSums<real>& level, const RowsSums<real>& northward,
                                                     const RowsSums<real>& southward) {
  const RowSums<real>&own = level.of[1 + cz], &north = northward.of[1 + cz], &south = southward.of[1 + cz];
  PlaneSums<real> sums;
  sums.x = own.x;
  sums.xx = own.xx;
  sums.y = north.all - south.all;
  sums.yy = north.all + south.all;
  sums.all = own.all + sums.yy;
  if constexpr (has_diagonals<cz>) {
    sums.x += north.x + south.x;
    sums.xx += north.xx + south.xx;
    sums.xy = north.x - south.x;
  }
  return sums;
}

}  // namespace detail

/// Shared memory for the values that rows pass on in one step and plane: [to the north, to the south][border][passed][32],
/// where border b lies south of warp b. A warp's northernmost row passes values to the north, its southernmost to the south.
template <int warps, class real>
struct Borders {
  static constexpr int lanes = 32, values = passed * lanes, direction = (warps + 1) * values, size = 2 * direction;

  real* first;  ///< of this lane

  __device__ void pass_north(int border, const RowsSums<real>& sums) const { pass(first + border * values, sums); }
  __device__ void pass_south(int border, const RowsSums<real>& sums) const { pass(first + direction + border * values, sums); }
  __device__ RowsSums<real> northward(int border) const { return passed_at(first + border * values); }
  __device__ RowsSums<real> southward(int border) const { return passed_at(first + direction + border * values); }

 private:
  static __device__ __forceinline__ void pass(real* to, const RowsSums<real>& sums) {
    detail::for_each_passed(sums, [&](int n, const real& value) { to[n * lanes] = value; });
  }
  static __device__ __forceinline__ RowsSums<real> passed_at(const real* from) {
    RowsSums<real> sums{};
    detail::for_each_passed(sums, [&](int n, real& value) { value = from[n * lanes]; });
    return sums;
  }
};

/// Waits for all warps of the block. Unlike with __syncthreads(), warps may wait at different calls. NVIDIA, PTX ISA,
/// "barrier".
__device__ __forceinline__ void wait_for_block() { __barrier_sync(0); }

/// Streams and collides once, one thread per cell.
template <class real, unsigned line>
__global__ void update(BlockedStep<real, line> step) {
  const auto [number, x, y, z] = own_cell(step.box);
  if (z >= step.box.nz) return;
  const auto arriving = [&, x = x, y = y, z = z](auto c) {
    lattice::Compute<real> k[numbers];
    step.load(step.place(x - c.x, y - c.y, z - c.z), k);
    return population(k, c);
  };
  const auto down = sum_plane<-1>(arriving), level = sum_plane<0>(arriving), up = sum_plane<1>(arriving);
  lattice::Compute<real> k[numbers];
  add_planes(up, add_planes(level, up), down, k);
  step.relaxation(k, k);
  step.store(step.place(x, y, z), k);
}

/// What leaves a thread's cells, one in each row of its warp from south to north, summed along x.
template <int rows, class real>
struct Leaving {
  RowsSums<real> level[rows], north[rows], south[rows];

  /// Expands the coefficients k; called by whole warps.
  __device__ __forceinline__ explicit Leaving(const real (&k)[rows][numbers]) {
#pragma unroll
    for (int n = 0; n < rows; ++n) {
      real f[q];
      expand(k[n], [&](auto c, real value) { f[decltype(c)::index] = value; });
      level[n] = detail::sum_row<0>(f);
      north[n] = detail::sum_row<1>(f);
      south[n] = detail::sum_row<-1>(f);
    }
  }

  /// Passes on what leaves the rows of a warp.
  template <class Borders>
  __device__ __forceinline__ void pass(const Borders& borders, int warp) const {
    borders.pass_south(warp, south[0]);
    borders.pass_north(warp + 1, north[rows - 1]);
  }

  /// Passes on what leaves the rows south and north of the tile towards it.
  template <class Tile, class Borders>
  __device__ __forceinline__ void pass_ring(const Tile& tile, const Borders& borders) const {
    if (tile.row(0) < 0) borders.pass_north(0, north[0]);
    if (tile.row(rows - 1) == Tile::rows) borders.pass_south(Tile::warps, south[rows - 1]);
  }

  /// Adds what arrives in the thread's cells. Sets s to the sums of the cells in the plane below. `Columns`: Arrivals or a
  /// class with the same add().
  template <class Borders, class Columns>
  __device__ __forceinline__ void arrive(const Borders& borders, int warp, Columns (&arrivals)[rows],
                                         real (&s)[rows][numbers]) const {
    const RowsSums<real> from_south = borders.northward(warp), from_north = borders.southward(warp + 1);
#pragma unroll
    for (int n = 0; n < rows; ++n) {
      const RowsSums<real>& northward = n == 0 ? from_south : north[n == 0 ? 0 : n - 1];
      const RowsSums<real>& southward = n == rows - 1 ? from_north : south[n == rows - 1 ? 0 : n + 1];
      arrivals[n].add(detail::sum_plane<-1>(level[n], northward, southward),
                      detail::sum_plane<0>(level[n], northward, southward),
                      detail::sum_plane<1>(level[n], northward, southward), s[n]);
    }
  }
};

/// Maps a block's warps to a tile of 30 x `rows` cells of a plane and its halo ring. A warp owns one or two rows, one cell of
/// each per lane; its first and last lane belong to the ring. Further warps own the rows south and north of the tile.
template <int rows_, class real>
struct RowTile {
  static constexpr int rows = rows_, columns = 30, lanes = 32;
  static constexpr int per_warp = sizeof(real) > sizeof(float) ? 1 : 2;  ///< more would not fit in the registers
  static constexpr int warps = rows / per_warp, ring_warps = 2 / per_warp, threads = (warps + ring_warps) * lanes;
  static_assert(rows % per_warp == 0);

  int lane = static_cast<int>(threadIdx.x) % lanes, warp = static_cast<int>(threadIdx.x) / lanes;
  int first_column;        ///< first column that the block writes
  unsigned own[per_warp];  ///< offsets of this thread's cells in a plane of the box
  bool writes[per_warp];   ///< whether the block writes them: all cells of the tile but a margin of one cell

  /// Tiles of a plane are numbered row by row.
  template <class Step>
  __device__ explicit RowTile(const Step& step, int number = static_cast<int>(blockIdx.x)) {
    const Sides box = step.box;
    const int across = lattice::cuda::parts_of(box.nx, columns - 2);
    first_column = number % across * (columns - 2);
    const int first_y = number / across * (rows - 2) - 1;
    const int x = first_column - 2 + lane;
#pragma unroll
    for (int n = 0; n < per_warp; ++n) {
      const int row = this->row(n), y = first_y + row;
      own[n] = step.in_plane(wrapped_far(x, box.nx), wrapped_far(y, box.ny));
      writes[n] = lane >= 2 && lane < lanes - 2 && x < box.nx && row > 0 && row < rows - 1 && y < box.ny;
    }
  }

  [[nodiscard]] __device__ bool is_ring() const { return warp >= warps; }
  /// Row n of this warp. The rows south and north of the tile are -1 and `rows`.
  [[nodiscard]] __device__ int row(int n) const {
    if (!is_ring()) return warp * per_warp + n;
    return warp + n == warps ? -1 : rows;
  }
};

/// Base of solvers whose kernels march with such tiles, taking two steps per launch. The tunables are march_tunables(), with
/// `Shapes` of 30 columns.
template <class Shapes, class real, class Step = BlockedStep<real>>
class MarchingRows : public BlockedPair<real, Step::line> {
  using Base = BlockedPair<real, Step::line>;

 public:
  void advance(std::int64_t steps) override {
    for (; steps >= 2; steps -= 2) {
      twice_(kernel_, arguments());
      this->swap_lattices();
    }
    if (steps == 0) return;
    once_(update<real, Step::line>, this->step());
    this->swap_lattices();
  }

 protected:
  /// `kernel_of(TileShape)` is the kernel for tiles of that shape; a block keeps `waiting` planes in shared memory, in
  /// the storage format, with `columns` cells per row.
  template <class KernelOf>
  MarchingRows(const Case& c, const ladder::Tuning& tuning, int waiting, KernelOf kernel_of, int columns = 32)
      : Base(c), planes_(tuning.at("planes")) {
    using Number = lattice::Compute<real>;
    with_shape<Shapes>(tuning, sizeof(real), [&](auto shape) {
      using Tile = RowTile<shape.rows, Number>;
      if constexpr (sizeof(Number) > sizeof(float) && shape.rows > most_in_double)
        throw ladder::InputError("in double precision, a block has at most " + std::to_string(most_in_double) + " rows");
      else
        kernel_ = kernel_of(shape);
      twice_.block = {Tile::threads, 1};
      twice_.blocks = {static_cast<std::size_t>(lattice::cuda::parts_of(c.nx, Tile::columns - 2)) *
                           lattice::cuda::parts_of(c.ny, Tile::rows - 2),
                       static_cast<std::size_t>(lattice::cuda::parts_of(c.nz, planes_))};
      twice_.shared = 4 * Borders<Tile::warps, Number>::size * sizeof(Number) +
                      waiting * (Tile::rows + 2) * columns * numbers * sizeof(real);
    });
    resident_ = resident_blocks(twice_, kernel_);
  }

  /// Arguments of the next launch.
  [[nodiscard]] virtual Step arguments() { return {this->step(planes_)}; }

  const int planes_;
  Launch twice_{this->device_, {1, 1}, {1, 1}};
  std::size_t resident_ = 0;  ///< blocks that fit on the device at the same time

 private:
  static constexpr int most_in_double = 10;  ///< more rows would run out of registers

  void (*kernel_)(Step) = nullptr;
  const Launch once_ = over_cells(this->device_, this->box_, {128, 1});
};

}  // namespace regularized
