// Idea:    interleaved: between two barriers a thread expands the next row and sums up an earlier one, which do not depend
// Layout:  structure of arrays with padded rows, m[15][y][pitch], two copies; shared memory keeps c_y + 4 rows of a population
// Traffic: 15 moments read and written, and those of the margins: 3 columns at each side of a strip, 3 rows at each end
// Source:  own; after a collision the populations are in the span of the 15 Hermite polynomials
// Bound:   the latency of a row's chain of operations: shared memory has room for few warps
#include "backends/cuda/shared.hpp"
#include "variants/d2q37/cuda/moments.hpp"

namespace d2q37 {
namespace {

/// Advances a strip of columns and a segment of rows: one thread per column. Each row's moments are expanded once; when the row
/// three rows above a cell has been expanded, the cell's populations are all there. Between two barriers a thread expands the
/// next row and sums up an earlier one: neither waits for the other.
template <int threads, class real>
__global__ void __launch_bounds__(threads, blocks_of(threads)) march(MomentStep<real> step) {
  const Strip<threads, real> strip(step, threadIdx.x, shared_memory<real>());
  KeptRows newest;
  real m[D2Q37_M], f[q], next[D2Q37_M];
  strip.load(strip.first - D2Q37_REACH, next);
  d2q37_expand(next, f);
  strip.load(strip.first - D2Q37_REACH + 1, next);
#pragma unroll 1
  for (int y = strip.first - D2Q37_REACH; y < strip.end + D2Q37_REACH; ++y) {
    __syncthreads();  // the row before has been gathered
    strip.keep(y, newest, f);
    __syncthreads();
    newest.advance();
    real moved[q];
    strip.gather(newest, moved);
    d2q37_expand(next, f);
    d2q37_moments(moved, m);
    strip.load(y + 2, next);
    strip.relax(y - D2Q37_REACH, m);
    if (strip.writes(y - D2Q37_REACH)) strip.store(y - D2Q37_REACH, m);
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
    .follows = "d2q37/cuda/09_moments",
    .traffic = d2q37::moment_traffic,
    .lattices = 2 * 15. / 37,
    .tunables = d2q37::moment_tunables(),
    .make = ladder::make_solver<d2q37::Marching, d2q37::Model>,
};
