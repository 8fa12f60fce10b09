// Idea:    half-way walls with waiting sums: a block computes the images behind a wall when it reaches them
// Layout:  structure of arrays with padded rows, m[15][y][pitch], two copies; in registers, up to 69 sums per column; in
//          shared memory, two rows of the populations that move along x
// Traffic: 15 moments read and written, plus reads of the margins: 4 columns at each side of a strip, 3 rows at each end, 9 at
//          a wall
// Source:  Guo, Zheng, Shi, Chinese Phys. 11 (2002) 366; Tiwari, Vanka, Int. J. Numer. Meth. Fluids 69 (2012) 481; half_way.hpp
// Bound:   memory, and its latency: registers limit a multiprocessor to eight warps
#include "variants/d2q37/cuda/strips.hpp"
#include "variants/d2q37/half_way.hpp"

namespace d2q37 {
namespace {

constexpr int margin = 4;             ///< columns; 3 would do, but with 4, all strips start at a 32-byte sector
constexpr int threads_at_once = 256;  ///< per multiprocessor; each can have 255 registers

template <int threads>
using Column = StripColumn<threads, margin>;

/// Computes the moments of the image in row y beyond a wall at rest. Few rows need it, so it is not inlined: the other rows
/// then have more registers.
template <class real>
[[gnu::noinline]] __device__ void load_image(const StripStep<real>& step, int x, int y, real* image) {
  const bool is_top = y >= step.c.ny;
  const Wall wall = wall_of(is_top, 0, step.c.ny);
  const Mirror<real> mirror = mirror_of(step.c.relaxation, is_top, real{0});
  const int wanted = is_top ? y - step.c.ny : -1 - y;
  real lost = 0, sent = 0;
#pragma unroll 1
  for (int n = 0; n < Case::wall_rows; ++n) {
    real m[D2Q37_M], f[q];
    step.load(x, wall.row(n, step.c.ny), m);
    d2q37_expand(m, f);
    lost += passing(f, -wall.inward, n);
    reflect(mirror, n, m);
    d2q37_expand(m, f);
    sent += passing(f, wall.inward, n);
    for (int k = 0; k < D2Q37_M; ++k)
      if (n == wanted) image[k] = m[k];
  }
  for (int k = 0; k < D2Q37_M; ++k)
    image[k] *= lost / sent;
}

/// Advances by one step. Each row is expanded once, and its populations are added to the rows where they arrive, which
/// completes the row three rows below. Even and odd rows pass their populations through different parts of shared memory, so
/// one barrier per row is enough.
template <int threads, bool is_half_way, class real>
__global__ void __launch_bounds__(threads, threads_at_once / threads) march(StripStep<real> step) {
  const int column = static_cast<int>(threadIdx.x);
  real* const shared = shared_memory<real>();
  int turn = 0;
  for_each_piece(Column<threads>::strips(step.c.nx), step.c.ny, [&](const Piece& piece) {
    const Column<threads> own(piece.strip, column, step.c.nx);
    WaitingRows<real> waiting;
    real next[D2Q37_M];
    const auto load = [&](int y) {
      if (is_half_way && step.is_mirrored(y))
        load_image(step, own.x, y, next);
      else
        step.load(own.x, y, next);
    };
    load(piece.first - D2Q37_REACH);
#pragma unroll 1
    for (int y = piece.first - D2Q37_REACH; y < piece.end + D2Q37_REACH; ++y, turn ^= 1) {
      const bool is_mirrored = !is_half_way && step.is_mirrored(y);
      const PassedRow<threads, real> passed(shared + turn * PassedRow<threads, real>::elements, column);
      real f[q], m[D2Q37_M];
#pragma unroll
      for (int k = 0; k < D2Q37_M; ++k)
        m[k] = next[k];
      load(min(y + 1, piece.end + D2Q37_REACH - 1));
      if (is_mirrored) reverse(m);
      d2q37_expand(m, f);
      passed.put(f);
      __syncthreads();
      passed.arriving(is_mirrored, f, [&](const auto& arriving) { waiting.add(arriving, m); });
      const int complete = y - D2Q37_REACH;
      if (!own.inside || complete < piece.first) continue;
      complete_moments(m);
      if (is_half_way)
        d2q37_relax(m, step.c.relaxation.omega, step.c.relaxation.kick, step.c.relaxation.warm);
      else
        step.relax(complete, m);
      step.store(own.x, complete, m);
    }
  });
}

/// @throws ladder::Unavailable if a wall moves
const Case& with_walls_at_rest(const Case& c) {
  if (c.walls != half_way_moving) return c;
  throw ladder::Unavailable(c.name + ": this rung's walls are at rest", ladder::Reason::no_such_case);
}

template <class real>
class Marching final : public StripSolver<real> {
 public:
  Marching(const Case& c, const ladder::Tuning& tuning)
      : StripSolver<real>(with_pinned_rows(with_walls_at_rest(c))),
        march_(has_half_way_walls(c) ? kernel<true>(tuning.at("threads")) : kernel<false>(tuning.at("threads"))),
        launch_(this->at_once(march_, tuning.at("threads"), elements)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step)
      this->pass(launch_, march_, 1);
  }

 private:
  using March = void (*)(StripStep<real>);
  static constexpr int elements = 2 * PassedRow<1, real>::elements;  ///< of shared memory, per thread

  template <bool is_half_way>
  static March kernel(int threads) {
    return threads == 64    ? march<64, is_half_way, real>
           : threads == 128 ? march<128, is_half_way, real>
                            : march<256, is_half_way, real>;
  }

  const March march_;
  const Launch launch_;
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/cuda/13_sums",
    .traffic = d2q37::strip_traffic<1, d2q37::margin>,
    .lattices = 2 * 15. / 37,
    .tunables = {{.name = "threads",
                  .meaning = "threads per block, one per column held on chip; eight columns are margins",
                  .values = {64, 128, 256},
                  .initial = 256}},
    .make = ladder::make_solver<d2q37::Marching, d2q37::Model>,
};
