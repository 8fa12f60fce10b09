// Idea:    open boundaries in place: in both phases, outflow cells get what the cell upstream of them passes on
// Layout:  structure of arrays, f[19][z][y][x], rows aligned to cache lines, directions padded, a single copy of the lattice,
//          flags
// Traffic: 19 values read and written to the same locations, so no line is fetched only for a write; a flag read
// Source:  Ladd, J. Fluid Mech. 271 (1994) 285 (inflow); Yang, Comput. Math. Appl. 65 (2013) 160 (outflow)
// Bound:   memory bandwidth
#include "backends/simd/wrapped.hpp"
#include "variants/d3q19/open.hpp"
#include "variants/d3q19/traffic.hpp"

namespace d3q19 {
namespace {

template <class real>
using Base = OpenSolver<real, lattice::Aligned, lattice::AA>;

template <class real>
class OneSweep final : public Base<real> {
  using Base<real>::case_, Base<real>::layout_, Base<real>::f_, Base<real>::flags_;
  using Vector = ladder::Vector<real>;
  using Mask = typename Vector::MaskType;

 public:
  OneSweep(const Case& c, const ladder::Tuning&) : Base<real>(c) {
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
          update_row(y, z, this->phase_);
      this->swap_lattices();
    }
  }

 private:
  /// Advances row y of plane z by this phase's step, and returns its populations from boundaries. Non-fluid cells are not
  /// accessed except where a population returns, because other threads may write them.
  void update_row(int y, int z, int phase) {
    if (phase == 1)
      collide_row(y, z);
    else
      fetch_row(y, z);
    this->return_row(f_.data(), y, z, phase);
  }

  /// Populations are in their own slots and are fetched from the neighbours; those that leave in the opposite direction go to
  /// the same locations.
  void fetch_row(int y, int z) {
    const int nx = case_.nx;
    const Vector omega = this->omega_, omega_minus = this->omega_minus_;
    const std::uint8_t* flags = flags_.data() + layout_.cell(0, y, z);
    real* from[q];  // cell 0 of the rows from which populations come
    for (int i = 0; i < q; ++i)
      from[i] =
          f_.data() + layout_(i, 0, lattice::wrapped(y - d3q19_cy[i], case_.ny), lattice::wrapped(z - d3q19_cz[i], case_.nz));
    const auto update = [&](int x, auto pull, auto put) {
      Vector f[q];
      ladder::unroll<q>([&](auto i) LADDER_INLINE_LAMBDA { f[i] = pull(from[i], x - d3q19_cx[i]); });
      d3q19_collide(f, omega, omega_minus);
      ladder::unroll<q>([&](auto i) LADDER_INLINE_LAMBDA { put(from[i], x - d3q19_cx[i], f[d3q19_opposite[i]]); });
    };
    for (int x = 0; x < nx; x += Vector::size) {
      const auto fluid = Mask::from_bytes(flags + x, D3Q19_FLUID);
      if (x > 0 && x + Vector::size < nx && ladder::all_have<Vector::size>(flags + x, D3Q19_FLUID))
        update(
            x, [](const real* row, int at) { return Vector::load(row + at); },
            [](real* row, int at, const Vector& v) { v.store(row + at); });
      else if (any(fluid))
        update(
            x, [&](const real* row, int at) { return ladder::load_wrapped(row, at, nx, fluid); },
            [&](real* row, int at, const Vector& v) { ladder::store_wrapped(row, at, nx, fluid, v); });
    }
  }

  /// Populations have arrived in their destination cells, in the slots of the opposite directions; the results go to their own
  /// slots.
  void collide_row(int y, int z) {
    const int nx = case_.nx;
    const Vector omega = this->omega_, omega_minus = this->omega_minus_;
    const std::uint8_t* flags = flags_.data() + layout_.cell(0, y, z);
    real* rows[q];
    for (int i = 0; i < q; ++i)
      rows[i] = f_.data() + layout_(i, 0, y, z);
    const auto update = [&](int x, auto get, auto put) {
      Vector f[q];
      ladder::unroll<q>([&](auto i) LADDER_INLINE_LAMBDA { f[i] = get(rows[d3q19_opposite[i]] + x); });
      d3q19_collide(f, omega, omega_minus);
      ladder::unroll<q>([&](auto i) LADDER_INLINE_LAMBDA { put(rows[i] + x, f[i]); });
    };
    for (int x = 0; x < nx; x += Vector::size) {
      const auto fluid = Mask::from_bytes(flags + x, D3Q19_FLUID);
      if (ladder::all_have<Vector::size>(flags + x, D3Q19_FLUID))
        update(
            x, [](const real* p) { return Vector::load_aligned(p); }, [](real* p, const Vector& v) { v.store_aligned(p); });
      else if (any(fluid))
        update(
            x, [&](const real* p) { return Vector::load(p, fluid); }, [&](real* p, const Vector& v) { v.store(p, fluid); });
    }
  }
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {.follows = "d3q19/openmp/06_inplace",
                                 .traffic = d3q19::fused_traffic,
                                 .lattices = 1,
                                 .make = ladder::make_solver<d3q19::OneSweep, d3q19::Model>};
