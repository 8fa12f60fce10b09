// Idea:    rows of a strip that do not fit in shared memory stay in global memory: in the L2 cache, if they fit there
// Layout:  in place (AA pattern), f[9][kept][x] in shared memory, the other rows in f[9][y][x]; halos[2][strip][2][3][x]
// Traffic: 9 numbers read, 9 written: in shared memory for the rows kept there, else in global memory, which has the flags
// Source:  L. Zhang et al., "PERKS: a Locality-Optimized Execution Model for Iterative Memory-bound GPU Applications", ICS 2023
// Bound:   instructions while about half of the lattice fits on the chip; bandwidth of the L2 cache, then of memory
#include <string>

#include "backends/cuda/block_flags.hpp"
#include "variants/d2q9/cuda/strip_update.hpp"

namespace d2q9 {
namespace {

/// Number of rows of each strip that fit in the shared memory of a block, given the bytes of a cell.
std::size_t kept_rows(const Strips& strips, std::size_t cell, const Device& device) {
  return std::min(strips.rows, (device.shared_memory() - beside_a_strip) / (strips.nx * cell));
}

/// The level with the most bytes comes first; without a GPU, all rows count as kept.
std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  const Strips strips = strips_of(grid_of(c), tuning);
  const auto gpu = Device::available();
  const auto kept = static_cast<double>(gpu ? kept_rows(strips, static_cast<std::size_t>(9 * real), *gpu) : strips.rows);
  const double part = kept / static_cast<double>(strips.rows);
  const ladder::Traffic shared = {9 * real * part, 9 * real * part, "shared"};
  const ladder::Traffic global = {9 * real * (1 - part) + 1, 9 * real * (1 - part)};
  const ladder::Traffic halos = halo_traffic(real, grid_of(c), strips);
  if (part > 0.5) return {shared, global, halos};
  return {global, shared, halos};
}

/// Rows of a strip: the first `kept` of them in shared memory, f[9][kept][nx], the others from row `first` on in global memory,
/// g[9][ny][nx].
template <class real>
struct KeptRows {
  real *f, *g;
  int nx, ny, first, rows, kept;

  template <Rows where>
  __device__ real& at(int i, int x, int y) const {
    if (where == Rows::shared) return f[(i * kept + y) * nx + x];
    if (where == Rows::global) return g[(static_cast<std::size_t>(i) * ny + first + y) * nx + x];
    real* const row = y < kept ? f + y * nx : g + static_cast<std::size_t>(first + y) * nx;
    const std::size_t plane = static_cast<std::size_t>(y < kept ? kept : ny) * nx;
    return row[i * plane + x];
  }
};

/// The cells of a strip that a thread works on: call(cell) for each of them. Every other warp processes them from the last to
/// the first, so that some warps wait for the L2 cache while others work in shared memory.
template <class Call>
__device__ void for_own_cells_by_turns(int nx, int rows, Call&& call) {
  const int threads = blockDim.x;
  const int thread = threadIdx.x;
  const int count = (nx * rows - thread + threads - 1) / threads;
  const bool backward = thread / 32 % 2 != 0;
  const int begin = backward ? thread + (count - 1) * threads : thread;
  // A step back by (dx, dy) is one forward by (nx - dx, -dy - 1), carried over into the row after.
  const int dx = backward ? nx - threads % nx : threads % nx;
  const int dy = backward ? -(threads / nx) - 1 : threads / nx;
  int x = begin % nx, y = begin / nx;
#pragma unroll 1
  for (int left = count; left > 0; --left) {
    call(Cell(x, y, nx));
    x += dx;
    y += dy;
    if (x >= nx) {
      x -= nx;
      ++y;
    }
  }
}

/// Advances a strip by one step; its flags are solid[y][nx], `driven` is the row to accelerate. Returns the sum of |u| over the
/// cells of this thread.
template <bool local, class real>
__device__ real sweep(const Strip<KeptRows<real>>& strip, const Halos<real>& halos, const std::uint8_t* solid, int driven,
                      const Problem<real>& c) {
  real speed = 0;
  for_own_cells_by_turns(strip.nx, strip.rows, [&](Cell cell) {
    const bool fluid = !__ldg(solid + static_cast<std::size_t>(cell.y) * strip.nx + cell.x);
    const bool edge = cell.y == 0 || cell.y == strip.rows - 1;
    const bool drive = cell.y == driven;
    if (!edge && cell.y + 1 < strip.kept)
      speed += update<local, Rows::shared>(strip, halos, cell, fluid, drive, c);
    else if (!edge && cell.y - 1 >= strip.kept)
      speed += update<local, Rows::global>(strip, halos, cell, fluid, drive, c);
    else
      speed += update<local, Rows::any>(strip, halos, cell, fluid, drive, c);
  });
  return speed;
}

/// Arguments of the kernel.
template <class real>
struct Steps {
  real* f;
  Exchange<real> exchange;
  BlockFlags flags;
  /// [step][strip]: the sum of |u| over the fluid cells of a strip.
  real* speeds;
  /// The row to accelerate for the next step, if there is one: one of these `steps` steps, or a later one (`more`); -1: none.
  int driven;
  int steps;
  bool more;
  /// Rows of a strip; the last may have fewer.
  int rows;
  /// Number of them in shared memory.
  int kept;
  Problem<real> c;
};

/// Advances the lattice by `steps` steps, one strip per block.
///
/// A block writes the populations that leave its strip to two halos alternately, and counts this in its flag. It starts a step
/// when both neighbours have counted at least as far. So a halo has been read before it is overwritten: a neighbour counts step
/// t after it has read the halos of step t - 1.
template <class real>
__global__ void __launch_bounds__(most_threads<real>, 1) timesteps(Steps<real> all) {
  extern __shared__ double room[];
  __shared__ real sums[32];
  const auto [f, exchange, flags, speeds, row, steps, more, most, kept, c] = all;
  const int first = blockIdx.x * most;
  const int rows = min(most, c.ny - first);
  const Strip<KeptRows<real>> strip{{reinterpret_cast<real*>(room), f, c.nx, c.ny, first, rows, min(kept, rows)}};
  const std::uint8_t* const solid = c.solid + static_cast<std::size_t>(first) * c.nx;

  // As after an odd step before the first.
  for_own_cells_by_turns(c.nx, strip.rows, [&](Cell cell) {
    real s[9];
#pragma unroll
    for (int i = 0; i < 9; ++i) {
      s[i] = f[at(i, cell.x, first + cell.y, c.nx, c.ny)];
      if (cell.y < strip.kept) strip.template at<Rows::shared>(i, cell.x, cell.y) = s[i];
    }
    exchange.of(1, c.nx).send(s, strip, cell);
  });
  __syncthreads();
  flags.tell(1);

  for (int step = 0; step < steps; ++step) {
    flags.wait(step + 1, exchange.south(), exchange.north());
    const Halos<real> halos = exchange.of(step, c.nx);
    halos.receive(strip);
    __syncthreads();
    const int driven = step + 1 < steps || more ? row - first : -1;
    put_warp_sum(sums,
                 step % 2 == 0 ? sweep<false>(strip, halos, solid, driven, c) : sweep<true>(strip, halos, solid, driven, c));
    __syncthreads();
    flags.tell(step + 2);
    add_warp_sums(sums, speeds + static_cast<std::size_t>(step) * gridDim.x + blockIdx.x);
  }
  store(strip, strip.kept, steps, f, first, c.ny);
}

template <class real>
class Overflow final : public CudaSolver<real, PullInPlace> {
 public:
  Overflow(const Case& c, const ladder::Tuning& tuning)
      : CudaSolver<real, PullInPlace>(c, {128, 1}, structure_of_arrays(c)),
        strips_(Strips::tuned(this->grid_, tuning, this->device_)) {
    this->device_.require_cooperative_launch();
    const std::size_t resident = resident_blocks(all_, timesteps<real>);
    if (strips_.count > resident)
      throw ladder::Refused(ladder::Reason::device_limit, std::to_string(c.ny) + " rows in strips of " +
                                                              std::to_string(strips_.rows) + ": " + this->device_.name() +
                                                              " accepts up to " + std::to_string(resident) + " strips");
  }

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) this->accelerate();
    speeds_.in_parts(steps, [this](int count, bool more) {
      flags_.zero();
      const Steps<real> now{
          .f = this->f(),
          .exchange = {halos_.data()},
          .flags = {flags_.data()},
          .speeds = speeds_.next(),
          .driven = this->driven_row(),
          .steps = count,
          .more = more,
          .rows = static_cast<int>(strips_.rows),
          .kept = static_cast<int>(kept_),
          .c = this->problem(),
      };
      all_.together(timesteps<real>, now);
    });
  }

  std::span<const double> history() override { return speeds_.history(); }

 private:
  const Strips strips_;
  const std::size_t kept_ = kept_rows(strips_, 9 * sizeof(real), this->device_);
  const Launch all_ = strips_.template launch<real>(this->device_, 9 * sizeof(real) * kept_ * this->grid_.x);
  Buffer<real> halos_{this->device_, strips_.halos()};
  Buffer<unsigned> flags_{this->device_, BlockFlags::apart* strips_.count};
  DeferredSums<real> speeds_{this->device_, all_.blocks, this->fluid_cells_};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/14_neighbours",
    .traffic = d2q9::traffic,
    .lattices = 1,
    .tunables = {lattice::cuda::rows_tunable()},
    .make = ladder::make_solver<d2q9::Overflow, d2q9::Model>,
};
