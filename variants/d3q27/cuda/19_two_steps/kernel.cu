// Idea:    two steps per pass through memory: a block takes both for a tile of a plane and marches through the planes
// Layout:  structure of arrays with padded rows, f[27][z][y][pitch], two copies of the lattice
// Traffic: every population read and written once every two steps: 13.5 values read, 13.5 written; a block also reads two more
//          planes, and a margin of its tile, mostly from the L2 cache
// Source:  A. Nguyen et al., "3.5-D Blocking Optimization for Stencil Computations on Modern CPUs and GPUs", SC 2010
// Bound:   memory bandwidth, or load latency: registers limit a multiprocessor to 1024 threads
#include "variants/d3q27/cuda/two_steps.hpp"

namespace d3q27 {
namespace {

/// Streams from f_temp, collides, and writes f, one thread per cell.
template <class real>
__global__ void run_lbm(Pass<real> step) {
  const Sides box = step.box;
  const auto [number, x, y, z] = own_cell(box);
  if (z >= box.nz) return;
  const Sources from(x, y, z, step);
  real site[27];
#pragma unroll
  for (int i = 0; i < 27; ++i)
    site[i] = step.f_temp.of[i][from(i)];
  d3q27_collide(site, step.omega);
#pragma unroll
  for (int i = 0; i < 27; ++i)
    step.f.of[i][from.own(from.z[1])] = site[i];
}

/// Maximum threads per block: a thread takes 64 registers in single precision, 128 in double precision.
template <class real>
constexpr int most_threads = sizeof(real) == 4 ? 1024 : 512;

/// Elements that a thread keeps in shared memory: one plane of the populations that move down, two of those that move up, two
/// of those that stay in their plane. With an odd count, the threads of a warp access different banks.
constexpr int numbers = 45;

/// Distance between the two planes of population i, which are used alternately.
__device__ constexpr int second_plane(int i) { return d3q27_cz[i] < 0 ? 0 : d3q27_cz[i] > 0 ? 9 : 27; }

/// Streams from f_temp, collides twice, and writes f. A thread takes the first step of its cell in plane z, then the second
/// step of its cell in plane z - 1, if that is in the tile: populations that move up left the first step two planes earlier,
/// and those that stay in their plane one plane earlier.
///
/// All threads take the first step and read shared memory, even if their results are not used; arrays set by only some threads
/// would occupy registers all the time.
template <int columns, class real>
__global__ void __launch_bounds__(most_threads<real>) two_steps(Pass<real> pass) {
  const auto [number, in_tile, x, y] = tile_cell(Tiles{columns, pass.rows, pass.planes}, pass.box);
  const int begin = blockIdx.y * pass.planes, end = min(begin + pass.planes, pass.box.nz);
  constexpr int next_row = columns + 2;  // in cells
  real* const own = shared_memory<real>() + number * numbers;
  const real* const cell = in_tile ? own : shared_memory<real>() + (next_row + 1) * numbers;
  Sources from(x, y, begin - 1, pass);
#pragma unroll 1
  for (int z = begin - 1; z <= end; ++z) {
    const auto plane = [](int i, int z) { return kept(i) + (z % 2 == 0 ? 0 : second_plane(i)); };
    const auto arrived = [&](int i, int z) { return cell[plane(i, z) - (d3q27_cy[i] * next_row + d3q27_cx[i]) * numbers]; };
    real s[27], t[27];
#pragma unroll
    for (int i = 0; i < 27; ++i)
      s[i] = pass.f_temp.of[i][from(i)];
#pragma unroll
    for (int i = 0; i < 27; ++i)
      if (d3q27_cz[i] > 0) t[i] = arrived(i, z - 2);
    __syncthreads();  // all threads have read the values that are replaced now
    d3q27_collide(s, pass.omega);
#pragma unroll
    for (int i = 0; i < 27; ++i)
      own[plane(i, z)] = s[i];
    __syncthreads();
    if (in_tile && z > begin) {
#pragma unroll
      for (int i = 0; i < 27; ++i)
        if (d3q27_cz[i] <= 0) t[i] = arrived(i, z - 1);
      d3q27_collide(t, pass.omega);
#pragma unroll
      for (int i = 0; i < 27; ++i)
        pass.f.of[i][from.own(from.z[2])] = t[i];
    }
    from.move_up(pass);
  }
}

template <class real>
struct PeriodicBox final : TwoStepBox<real> {
  PeriodicBox(const Case& c, const ladder::Tuning& tuning)
      : TwoStepBox<real>(c, tuning, numbers, {two_steps<32, real>, two_steps<64, real>}, run_lbm<real>) {}
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/07_soa",
    .traffic = d3q27::two_step_traffic,
    .tunables = lattice::cuda::tile_tunables({.columns = 32, .rows = 13, .planes = 32}),
    .constraints = lattice::cuda::tile_constraints(d3q27::most_threads<float>),
    .make = ladder::make_solver<d3q27::PeriodicBox, d3q27::Model>,
};
