#pragma once

#include "backends/simd/vector.hpp"
#include "variants/d3q19/processor.hpp"
#include "variants/d3q19/runs.hpp"

namespace d3q19 {

/// Base of rungs that update rows in place (AA pattern) by vectors: a lattice whose rows start at a cache line. A rung chooses
/// the order of the rows.
template <class real>
class InPlaceRows : public ProcessorSolver<real, lattice::Aligned, lattice::AA> {
  using Base = ProcessorSolver<real, lattice::Aligned, lattice::AA>;
  using Vector = ladder::Vector<real>;
  using Mask = typename Vector::MaskType;

 protected:
  using Base::case_, Base::layout_, Base::f_, Base::flags_;

  /// Writes the initial state, each row by the thread that has it in a static schedule.
  explicit InPlaceRows(const Case& c) : Base(c), links_(link_runs(c)) {
#pragma omp parallel for collapse(2) schedule(static)
    for (int z = 0; z < c.nz; ++z)
      for (int y = 0; y < c.ny; ++y)
        this->initialize_row(y, z);
    this->fill_boundaries();
  }

  /// Advances row y of plane z by the step of this phase, and returns its populations from boundaries. Cells that are not fluid
  /// are neither read nor written but where a population returns: other threads may write them.
  void update_row(int y, int z, int phase) {
    if (phase == 1)
      collide_row(y, z);
    else
      fetch_row(y, z);
    return_populations(f_.data(), layout_, case_, links_.row(y, z), y, z, phase == 0);
  }

 private:
  static constexpr real lanes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

  /// Updates the fluid cells of row y of plane z by vectors: plain(x), or masked(x, fluid) if some of the lanes are not fluid
  /// or at an end of the row.
  template <class Plain, class Masked>
  void for_each_vector(int y, int z, Plain plain, Masked masked) const {
    const std::uint8_t* flags = flags_.data() + layout_.cell(0, y, z);
    for (int x = 0; x < case_.nx; x += Vector::size)
      if (x > 0 && x + Vector::size < case_.nx && ladder::all_have<Vector::size>(flags + x, D3Q19_FLUID))
        plain(x);
      else if (const auto fluid = Mask::from_bytes(flags + x, D3Q19_FLUID); any(fluid))
        masked(x, fluid);
  }

  /// Populations are in their own places, and are fetched from the neighbours; those that leave in the opposite direction go
  /// there.
  void fetch_row(int y, int z) {
    const int nx = case_.nx;
    const Vector omega = this->omega_, omega_minus = this->omega_minus_, lane = Vector::load(lanes);
    real* rows[q];  // cell 0 of the rows that populations come from
    for (int i = 0; i < q; ++i)
      rows[i] =
          f_.data() + layout_(i, 0, lattice::wrapped(y - d3q19_cy[i], case_.ny), lattice::wrapped(z - d3q19_cz[i], case_.nz));
    const auto update = [&](int x, auto pull, auto push) {
      Vector f[q];
      ladder::unroll<q>([&](auto i) LADDER_INLINE_LAMBDA { f[i] = pull(rows[i], x - d3q19_cx[i]); });
      d3q19_collide(f, omega, omega_minus);
      ladder::unroll<q>([&](auto i) LADDER_INLINE_LAMBDA { push(rows[i], x - d3q19_cx[i], f[d3q19_opposite[i]]); });
    };
    // Lanes beyond either end of the row are at its other end; those that are not fluid are not touched: others write them.
    const auto inside = [&](int at, Mask fluid) { return fluid & (lane >= Vector(-at)) & (lane < Vector(nx - at)); };
    for_each_vector(
        y, z,
        [&](int x) {
          update(
              x, [](const real* row, int at) { return Vector::load(row + at); },
              [](real* row, int at, const Vector& leaves) { leaves.store(row + at); });
        },
        [&](int x, Mask fluid) {
          const auto pull = [&](const real* row, int at) {
            Vector arrives = Vector::load(row + at, inside(at, fluid));
            if (at < 0 && fluid[0]) arrives = select(lane == Vector(0), Vector(row[nx - 1]), arrives);
            const int beyond = nx - at;
            if (beyond < Vector::size && fluid[beyond]) arrives = select(lane == Vector(beyond), Vector(row[0]), arrives);
            return arrives;
          };
          update(x, pull, [&](real* row, int at, const Vector& leaves) {
            leaves.store(row + at, inside(at, fluid));
            if (at < 0 && fluid[0]) row[nx - 1] = leaves[0];
            if (const int beyond = nx - at; beyond < Vector::size && fluid[beyond]) row[0] = leaves[beyond];
          });
        });
  }

  /// Populations are where they move to, in the places of the opposite directions; the results go to their own places.
  void collide_row(int y, int z) {
    const Vector omega = this->omega_, omega_minus = this->omega_minus_;
    real* rows[q];
    for (int i = 0; i < q; ++i)
      rows[i] = f_.data() + layout_(i, 0, y, z);
    const auto update = [&](int x, auto get, auto put) {
      Vector f[q];
      ladder::unroll<q>([&](auto i) LADDER_INLINE_LAMBDA { f[i] = get(rows[d3q19_opposite[i]] + x); });
      d3q19_collide(f, omega, omega_minus);
      ladder::unroll<q>([&](auto i) LADDER_INLINE_LAMBDA { put(rows[i] + x, f[i]); });
    };
    for_each_vector(
        y, z,
        [&](int x) {
          update(
              x, [](const real* p) { return Vector::load_aligned(p); }, [](real* p, const Vector& v) { v.store_aligned(p); });
        },
        [&](int x, Mask fluid) {
          update(
              x, [&](const real* p) { return Vector::load(p, fluid); }, [&](real* p, const Vector& v) { v.store(p, fluid); });
        });
  }

  const Runs<LinkRun> links_;
};

}  // namespace d3q19
