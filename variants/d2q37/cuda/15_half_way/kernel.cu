// Idea:    half-way walls: a kernel computes mirror images of the rows at a wall, from which populations arrive
// Layout:  structure of arrays with padded rows, f[37][y][pitch], two copies of the lattice; images f[6][37][pitch] of three
//          rows at each wall
// Traffic: 37 values read, 37 written; at each wall, the populations of three rows are read twice
// Source:  Guo, Zheng, Shi, Chinese Phys. 11 (2002) 366; Tiwari, Vanka, Int. J. Numer. Meth. Fluids 69 (2012) 481; half_way.hpp
// Bound:   memory bandwidth
#include "variants/d2q37/cuda/solver.hpp"
#include "variants/d2q37/half_way.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

constexpr int most_threads = 256;  // per block: each needs more than 128 registers

/// The mirrors of a case and, between half-way walls, their images [wall][row from the wall][i][pitch]; else null.
template <class real>
struct Reflection {
  Mirrors<real> mirrors;
  real* images;

  [[nodiscard]] __device__ real& image(bool is_top, int i, int n, int x, int pitch) const {
    return images[image_row(is_top, i, n) * pitch + x];
  }
};

/// Computes the images of a column behind the bottom wall, or, for row 1 of the launch, the top wall.
template <class real>
__global__ void __launch_bounds__(most_threads) reflect_rows(Step<real> step, Reflection<real> reflection) {
  const Problem<real>& c = step.c;
  const int x = own_column();
  if (x >= c.nx || own_row() > 1) return;
  const Wall wall = wall_of(own_row() == 1, 0, c.ny);
  reflect_column<real>(
      reflection.mirrors.of[wall.is_top ? 1 : 0], wall.inward,
      [&](int i, int n) { return step.f.of[i][c.row(wall.row(n, c.ny)) + x]; },
      [&](int i, int n, real f) { reflection.image(wall.is_top, i, n, x, c.pitch) = f; });
}

/// Updates the rows at the walls: three at the bottom, three at the top.
template <class real>
__global__ void __launch_bounds__(most_threads) wall_rows(Step<real> step, Reflection<real> reflection) {
  const Problem<real>& c = step.c;
  const int x = own_column(), row = own_row();
  if (x >= c.nx || row >= 2 * Case::wall_rows) return;
  const bool is_top = row >= Case::wall_rows;
  const int y = is_top ? c.ny - 2 * Case::wall_rows + row : row;
  const Sources from(x, y, c);
  real f[q];
  if (reflection.images == nullptr) {
    stream_at_wall(step, from, x, y, f);
  } else {
    const Wall wall = wall_of(is_top, 0, c.ny);
    const int n = is_top ? c.ny - 1 - y : y;
#pragma unroll
    for (int i = 0; i < q; ++i)
      f[i] = wall.turns(i, n) ? reflection.image(is_top, i, wall.source(i, n), from.x[D2Q37_REACH + d2q37_cx[i]], c.pitch)
                              : step.f.of[i][from(i)];
  }
  d2q37_collide(f, c.relaxation.omega, c.relaxation.kick, c.relaxation.warm);
#pragma unroll
  for (int i = 0; i < q; ++i)
    step.g.of[i][from.own()] = f[i];
}

/// Updates the rows between the walls.
template <class real>
__global__ void __launch_bounds__(most_threads) inner_rows(Step<real> step) {
  const int x = own_column(), n = own_row();
  if (x >= step.c.nx || n >= step.c.inner_rows()) return;
  const Sources from(x, step.c.first_inner_row() + n, step.c);
  real f[q];
  stream(step, from, f);
  const Relaxation<real>& r = step.c.relaxation;
  d2q37_collide(f, r.omega, r.kick, r.warm);
#pragma unroll
  for (int i = 0; i < q; ++i)
    step.g.of[i][from.own()] = f[i];
}

template <class real>
class Fused final : public PopulationSolver<real>, public ladder::Phased {
 public:
  Fused(const Case& c, const ladder::Tuning& tuning)
      : PopulationSolver<real>(with_pinned_rows(without_reaction(c)), lattice::cuda::block_shape(tuning)),
        images_(this->device_, has_half_way_walls(c) ? image_size(this->problem_.pitch) : 1),
        reflection_{Mirrors<real>(c), has_half_way_walls(c) ? images_.data() : nullptr} {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      reflect();
      update_walls();
      update_bulk();
    }
  }

  std::vector<ladder::Phase> phases() override {
    return {{"reflect", [this] { reflect(); }}, {"stream_bc_collide_rows", [this] { update_walls(); }}, {"bulk", [this] {
                                                                                                           update_bulk();
                                                                                                         }}};
  }

 private:
  void reflect() {
    if (this->problem_.walls && reflection_.images != nullptr) images_of_(reflect_rows<real>, this->step(), reflection_);
  }
  void update_walls() {
    if (this->problem_.walls) at_walls_(wall_rows<real>, this->step(), reflection_);
  }
  void update_bulk() {
    inside_(inner_rows<real>, this->step());
    this->swap_lattices();
  }

  ladder::cuda::Buffer<real> images_;
  const Reflection<real> reflection_;
  const Launch images_of_ = this->over_rows(2);
  const Launch at_walls_ = this->over_rows(2 * Case::wall_rows);
  const Launch inside_ = this->over_rows(this->problem_.inner_rows());
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/cuda/06_factored",
    .traffic = d2q37::traffic,
    .tunables = d2q37::block_tunables(64, 1),
    .constraints = lattice::cuda::block_constraints(d2q37::most_threads),
    .make = ladder::make_solver<d2q37::Fused, d2q37::Model>,
};
