// Idea:    streaming stores: where a line holds only fluid cells without boundaries, it bypasses the caches
// Layout:  structure of arrays, f[19][z][y][x], rows aligned to cache lines, directions padded, two copies of the lattice,
//          flags
// Traffic: 19 values read, 19 written, a flag read
// Source:  Wellein, Zeiser, Hager, Donath, Computers & Fluids 35 (2006) 910
// Bound:   memory bandwidth; small lattices lose, since they leave the caches at every step
#include <algorithm>

#include "backends/simd/row_stream.hpp"
#include "backends/simd/wrapped.hpp"
#include "variants/d3q19/processor.hpp"
#include "variants/d3q19/runs.hpp"
#include "variants/d3q19/traffic.hpp"

namespace d3q19 {
namespace {

template <class real>
using Base = ProcessorSolver<real, lattice::Aligned>;

template <class real>
class OneSweep final : public Base<real> {
  using Base<real>::case_, Base<real>::layout_, Base<real>::f_, Base<real>::g_, Base<real>::flags_;
  using Vector = ladder::Vector<real>;
  using Mask = typename Vector::MaskType;

 public:
  OneSweep(const Case& c, const ladder::Tuning&) : Base<real>(c), links_(link_runs(c)) {
#pragma omp parallel for collapse(2) schedule(static)
    for (int z = 0; z < c.nz; ++z)
      for (int y = 0; y < c.ny; ++y)
        this->initialize_row(y, z);
    this->fill_boundaries();
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
#pragma omp parallel for collapse(2) schedule(static)
      for (int z = 0; z < case_.nz; ++z)
        for (int y = 0; y < case_.ny; ++y)
          update_row(y, z);
      this->swap_lattices();
    }
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
    return_populations(g_.data(), layout_, case_, links_.row(y, z), y, z);
  }

  const Runs<LinkRun> links_;
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {.follows = "d3q19/openmp/04_soa",
                                 .traffic = d3q19::fused_traffic,
                                 .make = ladder::make_solver<d3q19::OneSweep, d3q19::Model>};
