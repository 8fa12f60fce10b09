// Idea:    waiting sums: instead of the populations that one row sends to another, only three or five sums of them are kept
// Layout:  structure of arrays with padded rows, m[15][y][pitch], two copies; in registers, up to 69 sums per column; in
//          shared memory, two rows of the populations that move along x
// Traffic: 15 moments read and written, plus reads of the margins: 4 columns at each side of a strip, 3 rows at each end
// Source:  Gounley et al., "Propagation Pattern for Moment Representation of the Lattice Boltzmann Method", IEEE TPDS 33 (2022)
// Bound:   memory, and its latency: registers limit a multiprocessor to eight warps
#include "variants/d2q37/cuda/strips.hpp"

namespace d2q37 {
namespace {

constexpr int margin = 4;             ///< columns; 3 would do, but with 4, all strips start at a 32-byte sector
constexpr int threads_at_once = 256;  ///< per multiprocessor; each can have 255 registers

template <int threads>
using Column = StripColumn<threads, margin>;

/// Advances by one step. Each row is expanded once, and its populations are added to the rows where they arrive, which
/// completes the row three rows below. Even and odd rows pass their populations through different parts of shared memory, so
/// one barrier per row is enough.
template <int threads, class real>
__global__ void __launch_bounds__(threads, threads_at_once / threads) march(StripStep<real> step) {
  const int column = static_cast<int>(threadIdx.x);
  real* const shared = shared_memory<real>();
  int turn = 0;
  for_each_piece(Column<threads>::strips(step.c.nx), step.c.ny, [&](const Piece& piece) {
    const Column<threads> own(piece.strip, column, step.c.nx);
    WaitingRows<real> waiting;
    real next[D2Q37_M];
    step.load(own.x, piece.first - D2Q37_REACH, next);
#pragma unroll 1
    for (int y = piece.first - D2Q37_REACH; y < piece.end + D2Q37_REACH; ++y, turn ^= 1) {
      const bool is_mirrored = step.is_mirrored(y);
      const PassedRow<threads, real> passed(shared + turn * PassedRow<threads, real>::elements, column);
      real f[q], m[D2Q37_M];
#pragma unroll
      for (int k = 0; k < D2Q37_M; ++k)
        m[k] = next[k];
      step.load(own.x, min(y + 1, piece.end + D2Q37_REACH - 1), next);
      if (is_mirrored) reverse(m);
      d2q37_expand(m, f);
      passed.put(f);
      __syncthreads();
      passed.arriving(is_mirrored, f, [&](const auto& arriving) { waiting.add(arriving, m); });
      const int complete = y - D2Q37_REACH;
      if (!own.inside || complete < piece.first) continue;
      complete_moments(m);
      step.relax(complete, m);
      step.store(own.x, complete, m);
    }
  });
}

template <class real>
class Marching final : public StripSolver<real> {
 public:
  Marching(const Case& c, const ladder::Tuning& tuning)
      : StripSolver<real>(c),
        march_(kernel(tuning.at("threads"))),
        launch_(this->at_once(march_, tuning.at("threads"), elements)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step)
      this->pass(launch_, march_, 1);
  }

 private:
  using March = void (*)(StripStep<real>);
  static constexpr int elements = 2 * PassedRow<1, real>::elements;  ///< of shared memory, per thread

  static March kernel(int threads) {
    return threads == 64 ? march<64, real> : threads == 128 ? march<128, real> : march<256, real>;
  }

  const March march_;
  const Launch launch_;
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/cuda/09_moments",
    .traffic = d2q37::strip_traffic<1, d2q37::margin>,
    .lattices = 2 * 15. / 37,
    .tunables = {{.name = "threads",
                  .meaning = "threads per block, one per column held on chip; eight columns are margins",
                  .values = {64, 128, 256},
                  .initial = 256}},
    .make = ladder::make_solver<d2q37::Marching, d2q37::Model>,
};
