// Idea:    half-way walls with waiting sums: a kernel computes the moments of the images, which blocks read like rows
// Layout:  structure of arrays with padded rows, m[15][y][pitch], two copies; images m[15][6][pitch] of three rows at each
//          wall; in registers, up to 69 sums per column; in shared memory, two rows of the populations that move along x
// Traffic: 15 moments read and written, plus reads of the margins: 4 columns at each side of a strip, 3 rows at each end; at
//          each wall, three rows are read once more, and their images written and read
// Source:  Guo, Zheng, Shi, Chinese Phys. 11 (2002) 366; Tiwari, Vanka, Int. J. Numer. Meth. Fluids 69 (2012) 481; half_way.hpp
// Bound:   memory, and its latency: registers limit a multiprocessor to eight warps
#include "variants/d2q37/cuda/strips.hpp"
#include "variants/d2q37/half_way.hpp"

namespace d2q37 {
namespace {

constexpr int margin = 4;             ///< columns; 3 would do, but with 4, all strips start at a 32-byte sector
constexpr int threads_at_once = 256;  ///< per multiprocessor; each can have 255 registers
constexpr int reflecting = 64;        ///< threads per block of reflect_rows()

template <int threads>
using Column = StripColumn<threads, margin>;

/// The mirrors of half-way walls, and the moments of the images behind them.
template <class real>
struct Reflection {
  Mirrors<real> mirrors;
  Arrays<D2Q37_M, real> images;  ///< [wall][row from the wall][pitch]

  /// Index of column x in image row y, which is beyond a wall.
  [[nodiscard]] __device__ static int place(const Problem<real>& c, int x, int y) {
    return (y < 0 ? -1 - y : Case::wall_rows + y - c.ny) * c.pitch + x;
  }
};

/// Computes the images of a column behind the bottom wall or, for row 1 of the launch, the top wall.
template <class real>
__global__ void __launch_bounds__(reflecting) reflect_rows(StripStep<real> step, Reflection<real> reflection) {
  const int x = own_column(), ny = step.c.ny;
  if (x >= step.c.nx) return;
  const Wall wall = wall_of(own_row() == 1, 0, ny);
  real image[Case::wall_rows][D2Q37_M], lost = 0, sent = 0;
#pragma unroll
  for (int n = 0; n < Case::wall_rows; ++n) {
    real f[q];
    step.load(x, wall.row(n, ny), image[n]);
    d2q37_expand(image[n], f);
    lost += passing(f, -wall.inward, n);
    reflect(reflection.mirrors.of[wall.is_top ? 1 : 0], n, image[n]);
    d2q37_expand(image[n], f);
    sent += passing(f, wall.inward, n);
  }
  const real scale = lost / sent;
#pragma unroll
  for (int n = 0; n < Case::wall_rows; ++n)
#pragma unroll
    for (int k = 0; k < D2Q37_M; ++k)
      reflection.images.of[k][reflection.place(step.c, x, wall.is_top ? ny + n : -1 - n)] = scale * image[n][k];
}

/// Advances by one step. Each row is expanded once, and its populations are added to the rows where they arrive, which
/// completes the row three rows below. Even and odd rows pass their populations through different parts of shared memory, so
/// one barrier per row is enough.
template <int threads, bool is_half_way, class real>
__global__ void __launch_bounds__(threads, threads_at_once / threads) march(StripStep<real> step, Reflection<real> reflection) {
  const int column = static_cast<int>(threadIdx.x);
  real* const shared = shared_memory<real>();
  int turn = 0;
  for_each_piece(Column<threads>::strips(step.c.nx), step.c.ny, [&](const Piece& piece) {
    const Column<threads> own(piece.strip, column, step.c.nx);
    WaitingRows<real> waiting;
    real next[D2Q37_M];
    const auto load = [&](int y) {
      if (is_half_way && step.is_mirrored(y)) {
#pragma unroll
        for (int k = 0; k < D2Q37_M; ++k)
          next[k] = reflection.images.of[k][reflection.place(step.c, own.x, y)];
      } else {
        step.load(own.x, y, next);
      }
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

template <class real>
class Marching final : public StripSolver<real> {
 public:
  Marching(const Case& c, const ladder::Tuning& tuning)
      : StripSolver<real>(with_pinned_rows(c)),
        is_half_way_(has_half_way_walls(c)),
        march_(is_half_way_ ? kernel<true>(tuning.at("threads")) : kernel<false>(tuning.at("threads"))),
        launch_(this->at_once(march_, tuning.at("threads"), elements)),
        images_(this->device_, is_half_way_ ? D2Q37_M * size() : 1),
        reflection_{Mirrors<real>(c), Arrays<D2Q37_M, real>::from(images_.data(), size())} {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      if (is_half_way_) reflect_(reflect_rows<real>, this->step(1), reflection_);
      launch_(march_, this->step(1), reflection_);
      this->swap_lattices();
    }
  }

 private:
  using March = void (*)(StripStep<real>, Reflection<real>);
  static constexpr int elements = 2 * PassedRow<1, real>::elements;  ///< of shared memory, per thread

  template <bool is_half_way>
  static March kernel(int threads) {
    return threads == 64    ? march<64, is_half_way, real>
           : threads == 128 ? march<128, is_half_way, real>
                            : march<256, is_half_way, real>;
  }
  /// Number of values of each moment in the images.
  [[nodiscard]] std::size_t size() const {
    return 2 * static_cast<std::size_t>(Case::wall_rows) * static_cast<std::size_t>(this->problem_.pitch);
  }

  const bool is_half_way_;
  const March march_;
  const Launch launch_;
  Buffer<real> images_;
  const Reflection<real> reflection_;
  const Launch reflect_ = over(this->device_, {static_cast<std::size_t>(this->problem_.nx), 2}, {reflecting, 1});
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
