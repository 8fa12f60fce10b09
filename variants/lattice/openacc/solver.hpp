#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "backends/openacc/buffer.hpp"
#include "base/summation.hpp"
#include "harness/bench/rung.hpp"
#include "variants/lattice/layout.hpp"
#include "variants/lattice/state.hpp"

namespace lattice::openacc {

using ladder::openacc::Buffer;

/// Cells [first, first + count) of a box.
struct Cells {
  std::int64_t x, y, z, nx, ny;
  std::int64_t first, count;

  /// Returns the index of slot i of the k-th of these cells.
  [[nodiscard, gnu::always_inline]] std::int64_t place(const Strides& s, std::int64_t i, std::int64_t k) const {
    const std::int64_t n = first + k;
    return s.origin + i * s.q + (x + n % nx) * s.x + (y + n / nx % ny) * s.y + (z + n / nx / ny) * s.z;
  }
};

/// copy[i * count + k] = population i of the k-th cell.
template <class real>
void gather(const real* f, const Strides& strides, const Cells& cells, int q, real* copy) {
  const Strides s = strides;
  const Cells of = cells;
#if defined(_OPENACC)
#pragma acc parallel loop gang worker vector num_workers(4) vector_length(32) deviceptr(f, copy) firstprivate(s, of)
#else
#pragma omp target teams distribute parallel for simd is_device_ptr(f, copy) firstprivate(s, of)
#endif
  for (std::int64_t n = 0; n < q * of.count; ++n)
    copy[n] = f[of.place(s, n / of.count, n % of.count)];
}

/// The inverse of gather().
template <class real>
void scatter(real* f, const Strides& strides, const Cells& cells, int q, const real* copy) {
  const Strides s = strides;
  const Cells of = cells;
#if defined(_OPENACC)
#pragma acc parallel loop gang worker vector num_workers(4) vector_length(32) deviceptr(f, copy) firstprivate(s, of)
#else
#pragma omp target teams distribute parallel for simd is_device_ptr(f, copy) firstprivate(s, of)
#endif
  for (std::int64_t n = 0; n < q * of.count; ++n)
    f[of.place(s, n / of.count, n % of.count)] = copy[n];
}

/// Number of values added one after another. A plain sum of thousands of similar populations, as d2q37 stores them, rounds in
/// the same direction every time, which would hide the few epsilon of drift that the conservation check allows.
constexpr std::int64_t summed = 64;

/// Returns the number of parts, of at most `summed` cells each, in a row of `cells` cells.
inline std::int64_t parts_of_row(std::int64_t cells) { return (cells + summed - 1) / summed; }

/// sums[(i * ny + y) * parts + p] = the sum of population i in part p of row y of a plane lattice.
template <class real>
void add_parts(const real* f, const Strides& strides, const Extents& extents, int q, double* sums) {
  const Strides s = strides;
  const Extents n = extents;
  const std::int64_t parts = parts_of_row(n.x);
#if defined(_OPENACC)
#pragma acc parallel loop gang vector deviceptr(f, sums) firstprivate(s, n)
#else
#pragma omp target teams distribute parallel for is_device_ptr(f, sums) firstprivate(s, n)
#endif
  for (std::int64_t part = 0; part < q * n.y * parts; ++part) {
    const std::int64_t row = part / parts, begin = part % parts * summed;
    const std::int64_t end = begin + summed < n.x ? begin + summed : n.x;
    const real* const cells = f + s.origin + row / n.y * s.q + row % n.y * s.y;
    double sum = 0;
    for (std::int64_t x = begin; x < end; ++x)
      sum += cells[x * s.x];
    sums[part] = sum;
  }
}

/// Base of plane-lattice rungs that use OpenACC or OpenMP target: a device and, on it, two copies of a lattice with a layout,
/// one that a step reads and one that it writes; populations are in their own slots. A rung only adds the step. Its loops run
/// on queue 1, or on other queues that queue 1 waits for.
template <class Model, class real>
class Solver : public ladder::Solver<Model> {
 public:
  using Case = typename Model::Case;
  static constexpr int q = Model::q;
  static_assert(Model::solid_has_state);

  void wait() override { device_.wait(); }

  void store(ladder::Populations& out) override {
    in_chunks(out.box, [&](const Cells& cells, Buffer<real>& copy, std::vector<real>& numbers) {
      device_.wait();
      gather(f_.data(), strides_, cells, q, copy.data());
      copy.read(numbers.data(), static_cast<std::size_t>(q * cells.count));
      for (int i = 0; i < q; ++i)
        for (std::int64_t k = 0; k < cells.count; ++k)
          out.at(i, cells.first + k) = places_.population(i, numbers[static_cast<std::size_t>(i * cells.count + k)]);
    });
  }

  void load(const ladder::Populations& in) override {
    in_chunks(in.box, [&](const Cells& cells, Buffer<real>& copy, std::vector<real>& numbers) {
      for (int i = 0; i < q; ++i)
        for (std::int64_t k = 0; k < cells.count; ++k)
          numbers[static_cast<std::size_t>(i * cells.count + k)] = places_.template stored<real>(i, in.at(i, cells.first + k));
      copy.write({numbers.data(), static_cast<std::size_t>(q * cells.count)});
      scatter(f_.data(), strides_, cells, q, copy.data());
    });
  }

  double conserved() override {
    const Extents n = extents(case_);
    Buffer<double> sums(device_, static_cast<std::size_t>(q * n.y * parts_of_row(n.x)));
    device_.wait();
    add_parts(f_.data(), strides_, n, q, sums.data());
    std::vector<double> parts(sums.size());
    sums.read(parts.data(), parts.size());
    const double rest = std::accumulate(places_.rest, places_.rest + q, 0.0) * static_cast<double>(n.cells());
    return places_.density * (rest + ladder::total(parts));
  }

 protected:
  /// Writes the initial state. @throws ladder::Unavailable without the device; ladder::InputError beyond its memory
  Solver(const Case& c, const Strides& strides) : case_(c), strides_(strides) {
    load_initial<Model>(c, [&](const ladder::Populations& state) { load(state); });
  }

  /// Ends a step: the next one reads the lattice that this one wrote.
  void swap_lattices() { std::swap(f_, g_); }

  /// [strides_(i, x, y, z)]: the lattice that the next step reads, and the one that it writes.
  [[nodiscard]] real* f() { return f_.data(); }
  [[nodiscard]] real* g() { return g_.data(); }

  const Case case_;
  const ladder::openacc::Device device_ = ladder::openacc::Device::select();
  const Strides strides_;

 private:
  const Places places_ = places<typename Model::Lattice, Pull>(extents(case_), strides_, 0, Model::density(case_));

  /// Calls work(cells, device memory, host memory) for consecutive parts of a box.
  template <class Work>
  void in_chunks(const ladder::Box& box, Work work) {
    constexpr std::int64_t at_a_time = std::int64_t{8} << 20;  // elements
    const std::int64_t most = std::min(box.cells(), std::max<std::int64_t>(1, at_a_time / q));
    Buffer<real> copy(device_, static_cast<std::size_t>(most * q));
    std::vector<real> numbers(copy.size());
    for (std::int64_t first = 0; first < box.cells(); first += most)
      work(Cells{box.origin[0], box.origin[1], box.origin[2], box.extent[0], box.extent[1], first,
                 std::min(most, box.cells() - first)},
           copy, numbers);
  }

  /// Returns a lattice filled with NaN.
  [[nodiscard]] Buffer<real> array() const {
    const std::int64_t size = required_span_size(q, extents(case_), strides_);
    device_.require_memory(2.0 * static_cast<double>(size) * sizeof(real), case_.name);
    return {device_, static_cast<std::size_t>(size)};
  }

  Buffer<real> f_ = array(), g_ = array();
};

}  // namespace lattice::openacc
