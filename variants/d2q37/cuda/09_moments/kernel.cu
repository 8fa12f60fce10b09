// Idea:    stored moments: 15 per cell instead of 37 populations; blocks march along y with seven rows of populations on chip
// Layout:  structure of arrays with padded rows, m[15][y][pitch], two copies; shared memory holds c_y + 4 rows of each
//          population
// Traffic: 15 moments read and written, plus reads of the margins: 3 columns at each side of a strip, 3 rows at each end
// Source:  Gounley et al., "Propagation Pattern for Moment Representation of the Lattice Boltzmann Method", IEEE TPDS 33 (2022)
// Bound:   latency of the dependent operations for each row: shared memory has room for few warps
#include "backends/cuda/shared.hpp"
#include "variants/d2q37/cuda/moments.hpp"

namespace d2q37 {
namespace {

/// Advances a strip of columns and a segment of rows, one thread per column. Each row's moments are expanded once; as soon as
/// the row three rows above a cell has been expanded, all populations of the cell are available.
template <int threads, class real>
__global__ void __launch_bounds__(threads, blocks_of(threads)) march(MomentStep<real> step) {
  const Strip<threads, real> strip(step, threadIdx.x, shared_memory<real>());
  KeptRows newest;
  real next[D2Q37_M];
  strip.load(strip.first - D2Q37_REACH, next);
#pragma unroll 1
  for (int y = strip.first - D2Q37_REACH; y < strip.end + D2Q37_REACH; ++y) {
    real m[D2Q37_M], f[q];
#pragma unroll
    for (int k = 0; k < D2Q37_M; ++k)
      m[k] = next[k];
    strip.load(y + 1, next);
    d2q37_expand(m, f);
    __syncthreads();  // the previous row has been gathered
    strip.keep(y, newest, f);
    __syncthreads();
    newest.advance();
    if (!strip.writes(y - D2Q37_REACH)) continue;
    strip.gather(newest, f);
    d2q37_moments(f, m);
    strip.relax(y - D2Q37_REACH, m);
    strip.store(y - D2Q37_REACH, m);
  }
}

template <class real>
class Marching final : public MomentSolver<real> {
 public:
  Marching(const Case& c, const ladder::Tuning& tuning) : MomentSolver<real>(c, tuning, kernel(tuning.at("threads"))) {}

 private:
  static typename MomentSolver<real>::March kernel(int threads) {
    return threads == 32   ? march<32, real>
           : threads == 64 ? march<64, real>
           : threads == 96 ? march<96, real>
                           : march<128, real>;
  }
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/cuda/06_factored",
    .traffic = d2q37::moment_traffic,
    .lattices = 2 * 15. / 37,
    .tunables = d2q37::moment_tunables(),
    .make = ladder::make_solver<d2q37::Marching, d2q37::Model>,
};
