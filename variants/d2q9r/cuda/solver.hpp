#pragma once

#include <cstdint>
#include <utility>

#include "backends/cuda/box.hpp"
#include "backends/cuda/buffer.hpp"
#include "backends/cuda/read_only.hpp"
#include "base/parallel.hpp"
#include "variants/d2q9r/moments.hpp"
#include "variants/lattice/cuda/solver.hpp"
#include "variants/lattice/storage.hpp"

namespace d2q9r {

using namespace ladder::cuda;  // names used in kernels

/// Two lattices of populations on a GPU, f[9][y][pitch], with rows padded to whole lines.
template <class real>
class PopulationLattices : public lattice::cuda::Solver<Model, real> {
 public:
  static constexpr int count = q;  ///< values per cell

 protected:
  /// Writes the initial state. @throws ladder::Unavailable without a GPU; ladder::InputError beyond its limits
  PopulationLattices(const Case& c, Shape block)
      : lattice::cuda::Solver<Model, real>(lattice::numbered<std::int32_t>(c), block, lattice::padded_rows<real>(c)) {}
};

/// The same with coefficients (collide.h), k[6][y][pitch].
template <class real>
class MomentLattices : public Solver {
 public:
  static constexpr int count = numbers;  ///< values per cell

  void wait() override { device_.wait(); }

  void store(ladder::Populations& out) override {
    ladder::Populations k(numbers, out.box);
    lattice::cuda::store<real>(device_, f_.data(), places(0, numbers), k);
    for_each_cell(k, out, populations_of);
  }

  void load(const ladder::Populations& in) override {
    ladder::Populations k(numbers, in.box);
    for_each_cell(in, k, project);
    lattice::cuda::load<real>(device_, f_.data(), places(0, numbers), k);
  }

  /// The mass of a cell is 1 + 36 k0 + 12 (k3 + k4).
  double conserved() override {
    const auto sum = [&](int first, int values) { return lattice::cuda::sum<real>(device_, f_.data(), places(first, values)); };
    return static_cast<double>(case_.cells()) + 36 * sum(0, 1) + 12 * sum(3, 2);
  }

 protected:
  /// Writes the initial state. @throws ladder::Unavailable without a GPU; ladder::InputError beyond its limits
  MomentLattices(const Case& c, Shape block)
      : case_(lattice::numbered<std::int32_t>(c)),
        block_(block),
        strides_(lattice::padded_rows<real>(c)),
        f_(array()),
        g_(array()) {
    lattice::load_initial<Model>(c, [&](const ladder::Populations& state) { load(state); });
  }

  /// The lattices that the next launch reads and writes.
  [[nodiscard]] const real* f() const { return f_.data(); }
  [[nodiscard]] real* g() { return g_.data(); }
  void swap_lattices() { std::swap(f_, g_); }

  const Case case_;
  const Device device_ = Device::select();
  const Shape block_;  ///< threads per block
  const lattice::Strides strides_;

 private:
  [[nodiscard]] Buffer<real> array() const {
    device_.require_block(block_);
    const std::int64_t size = lattice::required_span_size(numbers, lattice::extents(case_), strides_);
    device_.require_memory(2.0 * static_cast<double>(size) * sizeof(real), case_.name);
    return {device_, static_cast<std::size_t>(size)};
  }

  /// Places of `values` coefficients per cell, starting with `first`.
  [[nodiscard]] lattice::Places places(int first, int values) const {
    lattice::Places all{.q = values, .extents = lattice::extents(case_), .strides = strides_, .access = {}};
    for (int n = 0; n < values; ++n)
      all.access[n] = {first + n, {}};
    return all;
  }

  /// Calls convert(values in `from`, values in `to`) for each cell.
  static void for_each_cell(const ladder::Populations& from, ladder::Populations& to, void (*convert)(const double*, double*)) {
    ladder::in_parts(from.cells(), ladder::worth_a_thread / q, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t cell = begin; cell < end; ++cell) {
        double old[q], converted[q];
        for (int n = 0; n < from.q; ++n)
          old[n] = from.at(n, cell);
        convert(old, converted);
        for (int n = 0; n < to.q; ++n)
          to.at(n, cell) = converted[n];
      }
    });
  }

  Buffer<real> f_, g_;
};

}  // namespace d2q9r
