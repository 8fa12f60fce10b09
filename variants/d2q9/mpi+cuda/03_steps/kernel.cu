// Idea:    several steps a pass, and halos of as many rows: the GPUs wait for each other once a pass
// Layout:  structure of arrays with padded rows, f[9][y][pitch] of a strip and its halo, two lattices; sums[step][warp]
// Traffic: 9 numbers and a flag read and 9 numbers written for all steps of a pass; more where strips and segments overlap
// Source:  C. Ding, Y. He, "A Ghost Cell Expansion Method for Reducing Communications in Solving PDE Problems", SC 2001; the
//          kernel is that of d2q9/cuda/30_momentum
// Bound:   instructions; on small strips the way of a flag to the neighbour and back
#include <map>

#include "backends/cuda/newton.hpp"
#include "variants/d2q9/cuda/ahead.hpp"
#include "variants/d2q9/cuda/pass_solver.hpp"
#include "variants/d2q9/mpi+cuda/ring.hpp"

namespace d2q9 {
namespace {

/// The own rows of a strip, and where those at its borders are written, too.
template <class real>
struct OwnRows {
  int first, last;
  Borders<real> borders;
};

/// A lane's part of the own rows.
template <int width, class real>
__device__ Part<width> own_part(const Pass<real>& pass, const OwnRows<real>& own) {
  Part<width> part(pass);
  part.first += own.first;
  part.last = min(part.first + pass.rows, own.last + 1);
  return part;
}

/// Numbers of shared memory of a warp.
template <int steps, int width, class real>
constexpr int room = Ahead<width, real>::size + (steps - 1) * SharedDelay<width, real>::size;

/// Advances the own rows by `steps` steps, one thread per `width` columns of a strip.
template <int steps, int width, class real>
__global__ void __launch_bounds__(most_pass_threads, least_pass_blocks<steps, width, real>)
    march(Pass<real> pass, OwnRows<real> own) {
  using Number = std::conditional_t<std::is_same_v<real, double>, Newton, real>;
  const auto part = own_part<width>(pass, own);
  if (part.warp >= pass.warps) return;
  const unsigned driven_row = pass.driven * pass.c.pitch;  // -1: no row begins there
  RowsAround rows(part.first - (steps - 1), pass.c);
  RowsAround next = rows;
  real* const shared = shared_memory<real>() + threadIdx.x / 32 * room<steps, width, real>;
  Ahead<width, real> ahead(shared);
  real* const waiting = shared + Ahead<width, real>::size;
  ahead.fetch(pass, part, next);
  SharedDelay<width, real> delays[steps];
  History<width> solid;
  solid.push(obstacles<width>(pass.c, rows.here + part.x));
  History<1> driven, owned;
  real speeds[steps] = {};
  for (int y = part.first - (steps - 1); y < part.last + (steps - 1); ++y, rows.next()) {
    Cells<real, width> s[9];
    next.next();
    ahead.fetch(pass, part, next);
    RawMarks<width> marks;
    marks.fetch(pass.c, next.here + part.x);
    ahead.read(s, part);
    driven.push(rows.here == driven_row);
    owned.push(part.first <= y && y < part.last);
    const auto advance = [&](auto is_plain) {
      constexpr bool plain = decltype(is_plain)::value;
#pragma unroll
      for (int k = 0; k < steps; ++k) {
        if (k > 0) {
          move_along_x(s);
          delays[k].pass(s, waiting + (k - 1) * SharedDelay<width, real>::size, y % 2 != 0);
        }
        const real speed =
            plain ? update_fluid<Number, InMomentum>(s, pass.c) : update<Number, InMomentum>(s, solid.of(k), pass.c);
        if ((owned.of(k) & 1) != 0) speeds[k] += speed;
        if (!plain && (driven.of(k) & 1) != 0 && (k + 1 < steps || pass.more)) accelerate(s, solid.of(k), pass.c);
      }
    };
    if (driven.last(steps) == 0 && !__any_sync(0xffffffffu, solid.last(steps) != 0)) {
      advance(std::true_type{});
    } else {
      advance(std::false_type{});
    }
    if (const int done = y - (steps - 1); done >= part.first) {
      write_row(s, pass, part, done);
      if (part.owned) store_borders(own.borders, s, part.x, done, pass.c.pitch);
    }
    solid.push(marks.bits());
  }
  write_speeds(speeds, pass, part);
}

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  return pass_traffic(real, c, tuning, 1);
}

/// The kernel of a pass, and the numbers of shared memory that a warp of it needs.
template <class real>
struct Kernel {
  void (*march)(Pass<real>, OwnRows<real>);
  int shared;
};

/// Kernels by number of steps, up to that of a whole pass.
template <class real>
std::map<int, Kernel<real>> kernels_of(const PassShape& shape) {
  std::map<int, Kernel<real>> kernels;
  with_constant<1, 2>(shape.width, [&](auto width) {
    for (int count = 1; count <= shape.steps; ++count)
      with_constant<1, 2, 3, 4, 5, 6, 8>(count, [&](auto steps) {
        kernels[steps] = {march<steps, width, real>, room<steps, width, real>};
      });
  });
  return kernels;
}

template <class real>
class Strips final : public RingSolver<real> {
  using Base = RingSolver<real>;
  using Base::device_, Base::strip_;

 public:
  Strips(const Case& c, const ladder::Tuning& tuning) : Strips(c, PassShape::tuned<real>(c, tuning)) {}

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) this->begin();
    while (steps > 0) {
      const auto& [now, kernel] =
          *std::prev(kernels_.upper_bound(static_cast<int>(std::min<std::int64_t>(steps, shape_.steps))));
      steps -= now;
      queue(kernel, steps > 0);
      speeds_.record(static_cast<std::size_t>(now));
    }
    this->record_new(speeds_.history());
  }

 private:
  Strips(const Case& c, const PassShape& shape) : Strips(c, shape, strip_on_device(c, shape.steps)) {}
  Strips(const Case& c, const PassShape& shape, const Strip& strip)
      : Base(c, strip, shape.steps, Shape{static_cast<std::size_t>(shape.threads), 1}),
        own_(Model::part(c, strip.own)),
        kernels_(kernels_of<real>(shape)),
        shape_(filled(shape)) {}

  [[nodiscard]] Launch launch(const Kernel<real>& kernel, const PassShape& shape, std::size_t warps) const {
    const auto threads = static_cast<std::size_t>(shape.threads);
    return ladder::cuda::over(device_, {32 * warps, 1}, {threads, 1},
                              static_cast<std::size_t>(kernel.shared) * sizeof(real) * threads / 32);
  }

  /// The shape with its number of rows. Sets the kernels up for their launches.
  [[nodiscard]] PassShape filled(const PassShape& shape) const {
    std::size_t blocks = 0;  // of the longest pass
    for (const auto& [steps, kernel] : kernels_) {
      prefer_shared(kernel.march, shape.shared);
      blocks = resident_blocks(launch(kernel, shape, 1), kernel.march);
    }
    return shape.filled(own_, static_cast<int>(blocks) * shape.threads / 32);
  }

  /// Queues a pass, after whose last step the driven row is accelerated if there are `more`.
  void queue(const Kernel<real>& kernel, bool more) {
    const auto plane = static_cast<std::size_t>(this->strides_.q);
    const Pass<real> pass{
        .f = Arrays<9, const real>::from(this->f(), plane),
        .g = Arrays<9, real>::from(this->g(), plane),
        .speeds = speeds_.next(),
        .warps = static_cast<int>(warps_.x),
        .strips = shape_.strips(own_),
        .margin = shape_.margin,
        .rows = shape_.rows,
        .driven = this->driven_row(),
        .more = more,
        .c = this->problem(),
    };
    launch(kernel, shape_, warps_.x)(kernel.march, pass, {strip_.first, strip_.last, this->borders()});
    this->meet();
  }

  const Case own_;
  const std::map<int, Kernel<real>> kernels_;
  const PassShape shape_;
  const Shape warps_ = {static_cast<std::size_t>(shape_.warps(own_)), 1};
  DeferredSums<real> speeds_{device_, warps_, 1, static_cast<std::size_t>(shape_.steps)};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/mpi+cuda/02_peer",
    .traffic = d2q9::traffic,
    .tunables =
        {d2q9::steps_tunable(6),
         {.name = "width", .meaning = "columns of a lane; 1 where rows are no multiple of it", .values = {1, 2}, .initial = 2},
         d2q9::margin_tunable(),
         d2q9::rows_or_waves_tunable(),
         d2q9::waves_tunable(),
         d2q9::shared_tunable(),
         d2q9::threads_tunable()},
    .constraints = {d2q9::margin_constraint(), d2q9::registers_constraint()},
    .make = ladder::make_solver<d2q9::Strips, d2q9::Model>,
};
