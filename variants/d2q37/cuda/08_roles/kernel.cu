// Idea:    two threads per column: one expands the moments of a row while the other sums and relaxes those of an earlier row
// Layout:  structure of arrays with padded rows, m[15][y][pitch], two copies; shared memory keeps c_y + 4 rows of a population
// Traffic: 15 moments read and written, and those of the margins: 3 columns at each side of a strip, 3 rows at each end
// Source:  own; after a collision the populations are in the span of the 15 Hermite polynomials
// Bound:   memory bandwidth; the latency of a row's chain of operations
#include "backends/cuda/shared.hpp"
#include "variants/d2q37/cuda/moments.hpp"

namespace d2q37 {
namespace {

/// Advances a strip of columns and a segment of rows: two threads per column. One expands the moments of a row, while the other
/// sums and relaxes those of an earlier one.
template <int threads, class real>
__global__ void __launch_bounds__(2 * threads, blocks_of(threads)) march(MomentStep<real> step) {
  const bool expands = threadIdx.x >= threads;
  const Strip<threads, real> strip(step, expands ? threadIdx.x - threads : threadIdx.x, shared_memory<real>());
  KeptRows newest;
  real m[D2Q37_M], f[q], next[D2Q37_M];
  const auto expand = [&](int y) {
#pragma unroll
    for (int k = 0; k < D2Q37_M; ++k)
      m[k] = next[k];
    strip.load(y + 1, next);
    d2q37_expand(m, f);
  };
  if (expands) {
    strip.load(strip.first - D2Q37_REACH, next);
    expand(strip.first - D2Q37_REACH);
  }
#pragma unroll 1
  for (int y = strip.first - D2Q37_REACH; y < strip.end + D2Q37_REACH; ++y) {
    const bool sums = !expands && strip.writes(y - D2Q37_REACH);
    if (expands) strip.keep(y, newest, f);
    newest.advance();
    __syncthreads();
    if (sums) strip.gather(newest, f);
    __syncthreads();  // the row has been gathered
    if (expands) expand(y + 1);
    if (sums) {
      d2q37_moments(f, m);
      strip.finish(y - D2Q37_REACH, m);
    }
  }
}

template <class real>
class Marching final : public MomentSolver<real> {
 public:
  Marching(const Case& c, const ladder::Tuning& tuning) : MomentSolver<real>(c, tuning, kernel(tuning.at("threads")), 2) {}

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
    .follows = "d2q37/cuda/07_moments",
    .traffic = d2q37::moment_traffic,
    .lattices = 2 * 15. / 37,
    .tunables = d2q37::moment_tunables(),
    .make = ladder::make_solver<d2q37::Marching, d2q37::Model>,
};
