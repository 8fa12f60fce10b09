// Idea:    a forest of blocks: over processes, balanced by fluid cells; populations that cross between blocks are exchanged
//          before each step
// Layout:  structure of arrays per block and its halo of one cell, f[19][z][y][x], rows aligned to cache lines, two copies,
//          flags
// Traffic: 19 values read, 19 written, a flag read
// Source:  Zheng, section 1.2 and Table 3.6; M. Bauer et al., "waLBerla: A block-structured high-performance framework for
//          multiphysics simulations", Comput. Math. Appl. 81 (2021) 478
// Bound:   memory bandwidth, shared by the processes, plus the exchange, which does not overlap with computation
#include <algorithm>

#include "backends/simd/row_stream.hpp"
#include "backends/simd/wrapped.hpp"
#include "harness/bench/phases.hpp"
#include "variants/d3q19/mpi/blocks.hpp"
#include "variants/d3q19/traffic.hpp"

namespace d3q19 {
namespace {

template <class real>
class Block final : public BlockState<real> {
  using Base = BlockState<real>;
  using Base::case_, Base::layout_, Base::f_, Base::g_, Base::flags_, Base::own_;
  using Vector = ladder::Vector<real>;
  using Mask = typename Vector::MaskType;

 public:
  using Base::Base;

  void advance(std::int64_t) override {
    const auto [first_x, first_y, first_z] = own_.origin;
    for (std::int64_t z = first_z; z < first_z + own_.extent[2]; ++z)
      for (std::int64_t y = first_y; y < first_y + own_.extent[1]; ++y)
        update_row(static_cast<int>(y), static_cast<int>(z));
    this->swap_lattices();
  }

 private:
  static constexpr int line_cells = ladder::cache_line_bytes / sizeof(real);

  [[gnu::flatten]] void update_row(int y, int z) {
    const int nx = case_.nx;
    const Vector omega = this->omega_, omega_minus = this->omega_minus_;
    const std::uint8_t* flags = flags_.data() + layout_.cell(0, y, z);
    const real* from[q];  // cell 0 of the rows from which populations come
    for (int i = 0; i < q; ++i)
      from[i] =
          f_.data() + layout_(i, 0, lattice::wrapped(y - d3q19_cy[i], case_.ny), lattice::wrapped(z - d3q19_cz[i], case_.nz));
    ladder::RowStream<real, q> to(g_.data() + layout_(0, 0, y, z), layout_.strides().q);
    const auto update = [&](int x, auto pull, auto write) {
      Vector f[q];
      ladder::unroll<q>([&](auto i) LADDER_INLINE_LAMBDA { f[i] = pull(from[i], x - d3q19_cx[i]); });
      d3q19_collide(f, omega, omega_minus);
      write(x, [&](int i) { return f[i]; });
    };
    const auto at_ends = [&](const real* row, int x) { return ladder::load_wrapped(row, x, nx); };
    // Near cells are read again when their populations return, so their lines should stay in the cache.
    const auto stream = [&](int x, auto next) { to.write(x, next); };
    for (int line = 0; line < nx; line += line_cells)
      if (line > 0 && line + line_cells < nx && ladder::all_equal<line_cells>(flags + line, D3Q19_FLUID))
        for (int x = line; x < line + line_cells; x += Vector::size)
          update(
              x, [](const real* row, int at) { return Vector::load(row + at); }, stream);
      else
        for (int x = line; x < std::min(line + line_cells, nx); x += Vector::size)
          if (const auto fluid = Mask::from_bytes(flags + x, D3Q19_FLUID); any(fluid))
            update(x, at_ends, [&](int at, auto next) {
              ladder::unroll<q>([&](auto i) LADDER_INLINE_LAMBDA { next(i).store(g_.data() + layout_(i, at, y, z), fluid); });
            });
    to.finish();
    return_populations(g_.data(), layout_, case_, this->links_.row(y, z), y, z);
  }
};

template <class real>
class Blocks final : public ExchangedBlocks<Block<real>, real>, public ladder::Phased {
 public:
  Blocks(const Case& c, const ladder::Tuning& tuning) : Blocks::ExchangedBlocks(c, tuning) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      exchange();
      update();
    }
  }
  std::vector<ladder::Phase> phases() override {
    return {{"comm", [this] { exchange(); }}, {"update", [this] { update(); }}};
  }

 private:
  void exchange() {
    this->begin_exchange();
    this->copy_inner();
    this->end_exchange();
  }
  void update() {
    for (const auto& block : this->blocks_)
      block->advance(1);
  }
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {.follows = "d3q19/openmp/05_streaming",
                                 .traffic = d3q19::fused_traffic,
                                 .tunables = d3q19::block_tunables({64, 32, 32}),
                                 .make = ladder::make_solver<d3q19::Blocks, d3q19::Model>};
