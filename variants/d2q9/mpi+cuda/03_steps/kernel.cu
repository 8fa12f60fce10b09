// Idea:    several steps per pass: with halos of as many rows, the GPUs wait for each other once per pass
// Layout:  structure of arrays with padded rows, f[9][y][pitch] of a strip and its halo, two copies; sums[step][warp]
// Traffic: 9 values and a flag read, 9 values written for all steps of a pass; more where strips and segments overlap
// Source:  C. Ding, Y. He, "A Ghost Cell Expansion Method for Reducing Communications in Solving PDE Problems", SC 2001; same
//          kernel as d2q9/cuda/30_momentum
// Bound:   instructions; on small strips the round trip of a flag to the neighbour
#include "backends/cuda/newton.hpp"
#include "variants/d2q9/cuda/ahead.hpp"
#include "variants/d2q9/mpi+cuda/own_rows.hpp"

namespace d2q9 {
namespace {

/// Shared-memory elements per warp.
template <int steps, int width, class real>
constexpr int room = Ahead<width, real>::size + (steps - 1) * SharedDelay<width, real>::size;

/// Streams populations along x within a strip: each lane's edge values come from the neighbouring lane, and are wrong at the
/// ends of the strip.
template <int width, class real>
__device__ void move_along_x(Cells<real, width> (&s)[9]) {
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    if (d2q9_cx[i] > 0) s[i] = moved_east(__shfl_up_sync(0xffffffffu, s[i].v[width - 1], 1), s[i]);
    if (d2q9_cx[i] < 0) s[i] = moved_west(s[i], __shfl_down_sync(0xffffffffu, s[i].v[0], 1));
  }
}

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
    move_along_x(s);
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

template <class real>
class Marching final : public RingSolver<real> {
 public:
  Marching(const Case& c, const ladder::Tuning& tuning) : Marching(c, PassShape::tuned<real>(c, tuning)) {}

  void advance(std::int64_t steps) override {
    if (steps > 0) this->begin();
    passes_.advance(steps, [this](auto kernel, bool more) {
      passes_.over()(kernel, passes_.next(this->f(), this->g(), this->strides_.q, this->driven_row(), more, this->problem()),
                     {this->strip_.first, this->strip_.last, this->borders()});
      this->meet();
    });
    this->record_new(passes_.history());
  }

 private:
  Marching(const Case& c, const PassShape& shape) : Marching(c, shape, strip_on_device(c, shape.steps)) {}
  Marching(const Case& c, const PassShape& shape, const Strip& strip)
      : RingSolver<real>(c, strip, shape.steps, Shape{static_cast<std::size_t>(shape.threads), 1}),
        passes_(this->device_, Model::part(c, strip.own), 1, shape,
                PassKernels<real, OwnRows<real>>::template of<2>(
                    shape, [](auto steps, auto width) { return march<steps, width, real>; },
                    [](auto steps, auto width) { return room<steps, width, real>; })) {}

  Passes<real, OwnRows<real>> passes_;
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/30_momentum",
    .traffic = d2q9::traffic,
    .tunables = {d2q9::steps_tunable(6), d2q9::own_width_tunable(), d2q9::margin_tunable(), d2q9::rows_or_waves_tunable(),
                 d2q9::waves_tunable(), d2q9::shared_tunable(), d2q9::threads_tunable()},
    .constraints = {d2q9::margin_constraint(), d2q9::registers_constraint()},
    .collision = "momentum",
    .make = ladder::make_solver<d2q9::Marching, d2q9::Model>,
};
