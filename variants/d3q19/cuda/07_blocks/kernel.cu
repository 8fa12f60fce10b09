// Idea:    a forest of blocks: those without fluid are not launched, and those far from boundaries read no flags
// Layout:  structure of arrays with padded rows, f[19][z][y][pitch], two copies of the lattice, one byte of flags per cell
// Traffic: flags of every cell in blocks with a boundary; 19 values of each fluid cell read and written, and the returned
//          populations written
// Source:  Zheng, section 1.2; M. Bauer et al., "waLBerla: A block-structured high-performance framework for multiphysics
//          simulations", Comput. Math. Appl. 81 (2021) 478
// Bound:   memory bandwidth; launch overhead for small boxes
#include "variants/d3q19/cuda/forest.hpp"

namespace d3q19 {
namespace {

/// Streams from f_temp, collides, and writes f, one thread per vector in a block of the forest. Populations from the east or
/// west move by one cell within a vector; the value that enters at its end has been read by the neighbouring thread, unless
/// that thread's vector has no fluid.
template <int width, class real>
__global__ void __launch_bounds__(vector_bound<width, real>) update(Step<real> step, const Block* blocks, Sides sides) {
  const Block block = blocks[blockIdx.x];
  const FirstCell in_block = first_cell(threadIdx.x, sides, width);
  const int x = block.x + in_block.x, y = block.y + in_block.y, z = block.z + in_block.z;
  auto flags = Flags<width>::same(block.plain ? D3Q19_FLUID : D3Q19_INSIDE);
  if (!block.plain && x < step.box.nx && y < step.box.ny && z < step.box.nz)
    flags = Flags<width>::of(step.flags.data + step.cell(x, y, z));
  const bool empty = flags.empty();
  const unsigned awake = __ballot_sync(0xffffffffu, !empty);
  if (empty) return;
  const OwnRows rows(step, {x, y, z}, width);
  const auto [first, last] = ends_of(awake, x == block.x, x + width >= block.x + sides.nx);

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
    if (flags.plain()) return;
  } else {
#pragma unroll
    for (int k = 0; k < width; ++k)
#pragma unroll
      for (int i = 0; i < 19; ++i)
        if (flags.has(k, D3Q19_FLUID)) step.f.of[i][cell + k] = cells[i].get(k);
  }
#pragma unroll 1
  for (int k = 0; k < width; ++k) {
    if (!flags.has(k, D3Q19_NEAR)) continue;
    real site[19];  // just written: indexing with k would move `cells` from registers to memory
#pragma unroll
    for (int i = 0; i < 19; ++i)
      site[i] = step.f.of[i][cell + k];
    for_each_returned(Neighbours(step, x + k, y, z), site, step.speed,
                      [&](int i, real returned) { step.f.of[d3q19_opposite[i]][step.to(i, x + k, y, z)] = returned; });
  }
}

template <class real>
class Tunnel final : public ForestSolver<real> {
 public:
  Tunnel(const Case& c, const ladder::Tuning& tuning) : Tunnel::ForestSolver(c, tuning) {}

  void advance(std::int64_t steps) override {
    const auto kernel = this->width_ == 1   ? update<1, real>
                        : this->width_ == 2 ? update<2, real>
                                            : update<16 / sizeof(real), real>;
    for (std::int64_t n = 0; n < steps; ++n) {
      this->over_(kernel, this->step(), this->blocks_.data(), this->sides_);
      this->swap_lattices();
    }
  }
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/cuda/05_four",
    .traffic = d3q19::forest_traffic,
    .tunables = d3q19::forest_tunables(),
    .constraints = d3q19::forest_constraints(),
    .make = ladder::make_solver<d3q19::Tunnel, d3q19::Model>,
};
