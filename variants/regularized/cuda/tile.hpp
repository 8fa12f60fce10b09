#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "backends/cuda/shared.hpp"
#include "variants/lattice/cuda/tiles.hpp"
#include "variants/regularized/cuda/solver.hpp"

/// Blocks that march through planes: each thread owns a column of cells along z. In each plane, it expands the coefficients of
/// its cell and passes the populations to its neighbours through shared memory; some threads also do so for the halo ring.
namespace regularized {

/// Number of populations per cell that move to another column: all but those with cx = cy = 0.
inline constexpr int moving = q - 3;

/// Populations of the cells of one plane, in shared memory: [moving][rows][columns].
template <int columns, int rows, class real>
struct Plane {
  static constexpr int cells = columns * rows, size = moving * cells;

  real* first;
  int cell;  ///< index of this thread's cell

  /// Index of a direction among those that lead to another column.
  template <class C>
  static constexpr int slot = C::index < 5 ? C::index - 1 : C::index - 3;

  /// The population that leaves this thread's cell in direction c, and the one that arrives in it.
  template <class C>
  __device__ real& leaving(C) const {
    return first[slot<C> * cells + cell];
  }
  template <class C>
  __device__ real arriving(C) const {
    return first[slot<C> * cells + cell - C::y * columns - C::x];
  }
};

/// Stores the population f that leaves a cell in direction c where arrived() finds it: in shared memory, or in `column` if it
/// stays in the column.
template <class C, class Shared, class real>
__device__ __forceinline__ void put(C c, const real& f, const Shared& cell, real (&column)[3]) {
  if constexpr (C::x == 0 && C::y == 0)
    column[1 + C::z] = f;
  else
    cell.leaving(c) = f;
}
/// The same for a cell of the halo ring, whose column belongs to another block.
template <class C, class Shared, class real>
__device__ __forceinline__ void put(C c, const real& f, const Shared& cell) {
  if constexpr (C::x != 0 || C::y != 0) cell.leaving(c) = f;
}
/// The population that arrives in direction c in a cell's column, of those that leave one plane.
template <class C, class Shared, class real>
__device__ __forceinline__ real arrived(C c, const Shared& cell, const real (&column)[3]) {
  if constexpr (C::x == 0 && C::y == 0)
    return column[1 + C::z];
  else
    return cell.arriving(c);
}

/// Maps a block's threads to `columns` x `rows` cells of a plane. The block writes all of them but `margin` cells on each side.
/// Cell n of the halo ring belongs to thread `first_of_ring` + n.
template <int columns, int rows, int margin, int first_of_ring = 0>
struct Tile {
  static constexpr int wide = columns + 2, high = rows + 2;  ///< including the halo ring
  static constexpr int ring = wide * high - columns * rows;  ///< cells of the halo ring
  static constexpr int threads = columns * rows;
  static_assert(ring <= threads && threads % 32 == 0);

  int thread = static_cast<int>(threadIdx.x);
  int column = thread % columns, row = thread / columns;
  unsigned own, beside;  ///< offsets in a plane of the box: of the own cell, and of the ring's cell
  bool writes;           ///< whether the block writes the own cell

  template <class Step>
  __device__ explicit Tile(const Step& step) {
    const Sides box = step.box;
    const int across = lattice::cuda::parts_of(box.nx, columns - 2 * margin);
    const int first_x = static_cast<int>(blockIdx.x) % across * (columns - 2 * margin) - margin;
    const int first_y = static_cast<int>(blockIdx.x) / across * (rows - 2 * margin) - margin;
    const auto place = [&](int x, int y) { return step.in_plane(wrapped_far(x, box.nx), wrapped_far(y, box.ny)); };
    own = place(first_x + column, first_y + row);
    beside = place(first_x + ring_column() - 1, first_y + ring_row() - 1);
    writes = column >= margin && column < columns - margin && first_x + column < box.nx && row >= margin &&
             row < rows - margin && first_y + row < box.ny;
  }

  [[nodiscard]] __device__ bool has_ring() const { return thread >= first_of_ring && thread < first_of_ring + ring; }
  /// Indices in shared memory of the own cell and of the ring's cell. The ring is numbered as two rows, then the cells at
  /// either end of the rows between them.
  [[nodiscard]] __device__ int own_cell() const { return (row + 1) * wide + column + 1; }
  [[nodiscard]] __device__ int ring_cell() const { return ring_row() * wide + ring_column(); }
  /// Index in an array without a ring: the nearest cell that has all its neighbours in the array.
  [[nodiscard]] __device__ int inner_cell() const {
    return min(max(row, 1), rows - 2) * columns + min(max(column, 1), columns - 2);
  }

 private:
  [[nodiscard]] __device__ int ring_row() const {
    const int n = thread - first_of_ring, side = n - 2 * wide;
    return side >= 0 ? 1 + side / 2 : n < wide ? 0 : high - 1;
  }
  [[nodiscard]] __device__ int ring_column() const {
    const int n = thread - first_of_ring, side = n - 2 * wide;
    return side >= 0 ? side % 2 * (wide - 1) : n % wide;
  }
};

/// A block's march through the planes of its segment, including some below and as many above it.
struct March {
  int begin, end;        ///< the segment, in planes of the box
  unsigned plane, all;   ///< elements of a plane and of all planes
  unsigned read, write;  ///< offsets of the plane that is read and of the completed plane that is written

  /// Starts `below` planes below the segment, and writes `lag` planes below the plane that it reads.
  template <class Step>
  __device__ March(const Step& step, int below, int lag)
      : begin(static_cast<int>(blockIdx.y) * step.planes),
        end(min(begin + step.planes, step.box.nz)),
        plane(step.plane()),
        all(plane * step.box.nz),
        read(plane * wrapped_far(begin - below, step.box.nz)),
        write(plane * wrapped_far(begin - below - lag, step.box.nz)) {}

  __device__ void move_up() {
    read = read + plane == all ? 0 : read + plane;
    write = write + plane == all ? 0 : write + plane;
  }
};

/// The shape of a block's tile as a type, and the shapes that a rung accepts. The default is the first shape in single
/// precision, the shape at index `half` (zero-based) for 16-bit storage, and the last shape in double precision, where larger
/// tiles would not fit in shared memory or registers.
template <int columns_, int rows_>
struct TileShape {
  static constexpr int columns = columns_, rows = rows_, ring = 2 * (columns + rows + 2);
  static constexpr int ring_threads = (ring + 31) / 32 * 32;  ///< if separate from the tile's threads
};
template <class... Shape>
struct TileShapes {
  static constexpr int half = 0;

  template <class Visit>
  static void for_each(Visit visit) {
    (visit(Shape{}), ...);
  }
};

/// Tunables of the rungs that march: a shape among `Shapes`, and the length of a segment.
template <class Shapes>
std::vector<ladder::Tunable> march_tunables(int planes) {
  std::set<int> columns = {0}, rows = {0};
  Shapes::for_each([&](auto shape) {
    columns.insert(shape.columns);
    rows.insert(shape.rows);
  });
  return {{.name = "columns",
           .meaning = "columns of cells per block; 0: the best shape",
           .values = {columns.begin(), columns.end()},
           .initial = 0},
          {.name = "rows",
           .meaning = "rows of cells per block; 0: the best shape",
           .values = {rows.begin(), rows.end()},
           .initial = 0},
          {.name = "planes",
           .meaning = "planes per block, to which it adds some at either end",
           .values = {8, 16, 32, 64, 128, 256},
           .initial = planes}};
}
template <class Shapes>
std::vector<ladder::Constraint> march_constraints() {
  std::string accepted = "columns x rows is 0 x 0";
  Shapes::for_each([&](auto shape) { accepted += ", " + std::to_string(shape.columns) + " x " + std::to_string(shape.rows); });
  return {{accepted, [](const ladder::Tuning& t) {
             bool is_one = t.at("columns") == 0 && t.at("rows") == 0;
             Shapes::for_each(
                 [&](auto shape) { is_one = is_one || (t.at("columns") == shape.columns && t.at("rows") == shape.rows); });
             return is_one;
           }}};
}

/// Calls use(shape) with the shape that the tuning selects for values stored in `bytes` bytes.
template <class Shapes, class Use>
void with_shape(const ladder::Tuning& tuning, std::size_t bytes, Use use) {
  int place = 0;
  std::pair<int, int> wanted = {tuning.at("columns"), tuning.at("rows")}, best;
  Shapes::for_each([&](auto shape) {
    const bool is_half = bytes < sizeof(float) && place == Shapes::half;
    if (place == 0 || is_half || bytes > sizeof(float)) best = {shape.columns, shape.rows};
    ++place;
  });
  if (wanted.first == 0) wanted = best;
  Shapes::for_each([&](auto shape) {
    if (wanted == std::pair{shape.columns, shape.rows}) use(shape);
  });
}

/// Traffic of a rung with `steps` steps per pass: ten values read and written. A block also reads planes below and above its
/// segment and, around its tile, rows and a 32-byte sector at each end of a row. The model assumes that these come from the L2
/// cache, because blocks of neighbouring tiles run at the same time.
template <int steps, class Shapes>
std::vector<ladder::Traffic> march_traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  int columns = 0, rows = 0;
  with_shape<Shapes>(tuning, static_cast<std::size_t>(real), [&](auto shape) {
    columns = shape.columns;
    rows = shape.rows;
  });
  const auto with_margin = [](int n, int size, double margin) { return 1 + 2 * margin * lattice::cuda::parts_of(n, size) / n; };
  const double moved = numbers * real / steps, planes = with_margin(c.nz, tuning.at("planes"), steps);
  const double tile =
      with_margin(c.nx, columns - 2 * (steps - 1), 32 / real) * with_margin(c.ny, rows - 2 * (steps - 1), steps);
  return {{moved * planes, moved}, {moved * planes * tile, moved, "l2"}};
}

/// Base of solvers whose kernels march, taking `steps` steps per launch. The tunables are march_tunables().
template <int steps, class Shapes, class real, class Lattices = LatticePair<StoredMoments, real>, bool has_ring_threads = false>
class Marching : public Lattices {
 protected:
  /// `kernel_of(TileShape)` is the kernel for blocks of that shape.
  template <class KernelOf>
  Marching(const Case& c, const ladder::Tuning& tuning, KernelOf kernel_of) : Lattices(c), planes_(tuning.at("planes")) {
    with_shape<Shapes>(tuning, sizeof(real), [&](auto shape) {
      using Shape = decltype(shape);
      if constexpr (sizeof(Compute) > sizeof(float) && Shape::columns * Shape::rows > most_in_double)
        throw ladder::InputError("in double precision, a block has at most " + std::to_string(most_in_double) + " cells");
      else
        kernel_ = kernel_of(shape);
      constexpr int margin = 2 * (steps - 1);
      launch_.block = {Shape::columns * Shape::rows + (has_ring_threads ? Shape::ring_threads : 0), 1};
      launch_.blocks = {static_cast<std::size_t>(lattice::cuda::parts_of(c.nx, Shape::columns - margin)) *
                            lattice::cuda::parts_of(c.ny, Shape::rows - margin),
                        static_cast<std::size_t>(lattice::cuda::parts_of(c.nz, planes_))};
      constexpr int first = Plane<Shape::columns + 2, Shape::rows + 2, Compute>::size;
      constexpr int second = steps == 2 ? Plane<Shape::columns, Shape::rows, Compute>::size : 0;
      launch_.shared = 2 * (first + second) * sizeof(Compute);
    });
    resident_blocks(launch_, kernel_);
  }

  /// Advances by `steps` steps.
  void pass() {
    launch_(kernel_, this->step(planes_));
    this->swap_lattices();
  }

 private:
  using Compute = lattice::Compute<real>;
  static constexpr int most_in_double = 256;  ///< larger blocks would run out of registers

  const int planes_;
  typename Lattices::Kernel kernel_ = nullptr;
  Launch launch_{this->device_, {1, 1}, {1, 1}};
};

/// Base of such solvers with one step per launch.
template <class Shapes, class real>
class MarchingStep : public Marching<1, Shapes, real> {
 public:
  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step)
      this->pass();
  }

 protected:
  using Marching<1, Shapes, real>::Marching;
};

}  // namespace regularized
