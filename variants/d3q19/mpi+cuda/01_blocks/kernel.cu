// Idea:    a forest of blocks: over processes and their GPUs; populations between processes go through host memory
// Layout:  structure of arrays per block and its halo of one cell, f[19][z][y][x], two copies, one byte of flags per cell
// Traffic: flags of every cell; 19 values of each fluid cell read and written, and the returned populations written
// Source:  Zheng, section 1.2 and Table 3.6; M. Bauer et al., "waLBerla: A block-structured high-performance framework for
//          multiphysics simulations", Comput. Math. Appl. 81 (2021) 478
// Bound:   memory bandwidth, plus copies over the bus and messages, none of which overlap with computation
#include "harness/bench/phases.hpp"
#include "variants/d3q19/mpi+cuda/blocks.hpp"

namespace d3q19 {
namespace {

constexpr int most_threads = 512;  // per block

/// Streams from f_temp, collides, and writes f, one thread per own cell; the first of these is at `first`.
template <class real>
__global__ void __launch_bounds__(most_threads) update(Step<real> step, FirstCell first, Sides own) {
  const Cell in_own = own_cell(own);
  if (in_own.z >= own.nz) return;
  const int x = first.x + in_own.x, y = first.y + in_own.y, z = first.z + in_own.z;
  const unsigned cell = step.cell(x, y, z);
  const int flag = step.flags[cell];
  if ((flag & D3Q19_FLUID) == 0) return;
  real site[19];
#pragma unroll
  for (int i = 0; i < 19; ++i)
    site[i] = step.f_temp.of[i][step.from(i, x, y, z)];
  d3q19_collide(site, step.omega, step.omega_minus);
#pragma unroll
  for (int i = 0; i < 19; ++i)
    step.f.of[i][cell] = site[i];
  if ((flag & D3Q19_NEAR) == 0) return;
  return_populations(step, site, x, y, z);
}

template <class real>
class Block final : public DeviceBlock<real> {
 public:
  using DeviceBlock<real>::DeviceBlock;

  void advance(std::int64_t) override {
    over_cells(this->device_, this->own_, this->block_)(update<real>, this->step(), this->first_, this->own_);
    this->swap_lattices();
  }
};

template <class real>
class Blocks final : public ExchangedBlocks<Block<real>, real>, public ladder::Phased {
 public:
  Blocks(const Case& c, const ladder::Tuning& tuning) : Blocks::ExchangedBlocks(c, tuning) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      this->exchange();
      update_all();
    }
  }
  std::vector<ladder::Phase> phases() override {
    return {{"comm", [this] { this->exchange(); }}, {"update", [this] { update_all(); }}};
  }

 private:
  void update_all() {
    for (const auto& block : this->blocks_)
      block->advance(1);
  }
};

std::vector<ladder::Tunable> tunables() {
  std::vector<ladder::Tunable> all = block_tunables({256, 256, 256});
  all.push_back(lattice::cuda::threads_tunable(128, most_threads));
  return all;
}

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/cuda/04_fused",
    .traffic = d3q19::fused_traffic,
    .tunables = d3q19::tunables(),
    .make = ladder::make_solver<d3q19::Blocks, d3q19::Model>,
};
