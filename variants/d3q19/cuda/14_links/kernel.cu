// Idea:    links: a list of those between fluid and boundary cells; the cell kernel does not need its neighbours' flags
// Layout:  structure of arrays with padded rows, f[19][z][y][pitch], two copies of the lattice; links[direction][link], 8 bytes
// Traffic: flags of every cell; 19 values of each fluid cell read and written; for each returned population one link and one
//          value read and one value written
// Source:  this project
// Bound:   memory bandwidth; launch overhead of a second kernel
#include "variants/d3q19/cuda/links.hpp"

namespace d3q19 {
namespace {

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning&) {
  const Shares of = shares(c);
  return {{19 * real * of.fluid + 1 + of.returned * (real + 8), (19 * of.fluid + of.returned) * real}};
}

/// Streams from f_temp, collides, and writes f, one thread per vector. Populations from the east or west move by one cell
/// within a vector; the neighbouring thread has read the value that enters at its end, unless its own vector has no fluid.
template <int width, class real>
__global__ void __launch_bounds__(vector_bound<width, real>) update(Step<real> step) {
  const auto [x, y, z] = first_cell(blockIdx.x * blockDim.x + threadIdx.x, step.box, width);
  const auto flags =
      z < step.box.nz ? Flags<width>::of(step.flags.data + step.cell(x, y, z)) : Flags<width>::same(D3Q19_INSIDE);
  const bool empty = flags.empty();
  const unsigned awake = __ballot_sync(0xffffffffu, !empty);
  if (empty) return;
  const OwnRows rows(step, {x, y, z}, width);
  const auto [first, last] = ends_of(awake, x == 0, x + width >= step.box.nx);

  RowCells<real, width> cells[19];
  real beyond[19];
#pragma unroll
  for (int i = 0; i < 19; ++i)
    cells[i] = cells[i].of(step.f_temp.of[i] + rows(i));
#pragma unroll
  for (int i = 0; i < 19; ++i) {
    if (d3q19_cx[i] > 0 && first) beyond[i] = step.f_temp.of[i][rows(i) + rows.west];
    if (d3q19_cx[i] < 0 && last) beyond[i] = step.f_temp.of[i][rows(i) + rows.east];
  }
#pragma unroll
  for (int i = 0; i < 19; ++i) {
    if (d3q19_cx[i] > 0) cells[i] = cells[i].moved_east(awake, first, beyond[i]);
    if (d3q19_cx[i] < 0) cells[i] = cells[i].moved_west(awake, last ? rows.last_cell() : width, beyond[i]);
  }
#pragma unroll
  for (int k = 0; k < width; ++k) {
    real site[19];
#pragma unroll
    for (int i = 0; i < 19; ++i)
      site[i] = cells[i].get(k);
    d3q19_collide(site, step.omega, step.omega_minus);
#pragma unroll
    for (int i = 0; i < 19; ++i)
      cells[i].set(k, site[i]);
  }

  const unsigned cell = rows(0);
  if (flags.full()) {
#pragma unroll
    for (int i = 0; i < 19; ++i)
      cells[i].store(step.f.of[i] + cell);
  } else {
#pragma unroll
    for (int k = 0; k < width; ++k)
#pragma unroll
      for (int i = 0; i < 19; ++i)
        if (flags.has(k, D3Q19_FLUID)) step.f.of[i][cell + k] = cells[i].get(k);
  }
}

/// Writes the returned populations into the boundary cells, one thread per link.
template <class real>
__global__ void __launch_bounds__(group) follow_links(LinkStep<real> all) {
  const auto& f = all.step.f;
  int i = 1;
  while (blockIdx.x >= all.first[i + 1])
    ++i;
  const Link link = all.links[blockIdx.x * group + threadIdx.x];
  const int kind = static_cast<int>(link.beyond >> 29);
  if (kind == 0) return;
  real u[3] = {0, 0, 0};
  if (kind == D3Q19_PRESSURE) {
    real site[19];
#pragma unroll
    for (int k = 0; k < 19; ++k)
      site[k] = f.of[k][link.cell];
    d3q19_velocity(site, u);
  }
  f.of[d3q19_opposite[i]][link.beyond & (most_linked_cells - 1)] =
      d3q19_returned_at(f.of[i][link.cell], i, kind, all.step.speed, u);
}

template <class real>
class Tunnel final : public LinkSolver<real> {
 public:
  Tunnel(const Case& c, const ladder::Tuning& tuning)
      : Tunnel::LinkSolver(c, row_block(tuning), padded_rows<real>(c)), width_(lattice::cuda::vector_width<real>(tuning)) {}

  void advance(std::int64_t steps) override {
    const auto kernel = width_ == 1 ? update<1, real> : width_ == 2 ? update<2, real> : update<16 / sizeof(real), real>;
    for (std::int64_t n = 0; n < steps; ++n) {
      over_(kernel, this->step());
      this->over_links(follow_links<real>);
      this->swap_lattices();
    }
  }

 private:
  const int width_;
  const Launch over_ = over_vectors(this->device_, this->box_, width_, this->block_);
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/cuda/05_four",
    .traffic = d3q19::traffic,
    .tunables = {lattice::cuda::threads_tunable(128, d3q19::most_vector_threads, "vector of cells"), d3q19::quad_tunable()},
    .make = ladder::make_solver<d3q19::Tunnel, d3q19::Model>,
};
