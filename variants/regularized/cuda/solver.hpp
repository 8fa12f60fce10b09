#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "backends/cuda/box.hpp"
#include "backends/cuda/buffer.hpp"
#include "backends/cuda/vectors.hpp"
#include "base/parallel.hpp"
#include "variants/lattice/case.hpp"
#include "variants/lattice/cuda/transfer.hpp"
#include "variants/lattice/cuda/tunables.hpp"
#include "variants/lattice/layout.hpp"
#include "variants/lattice/state.hpp"
#include "variants/lattice/storage.hpp"
#include "variants/regularized/moments.hpp"

namespace regularized {

using namespace ladder::cuda;  // names used in kernels
using lattice::cuda::row_block;

/// Form of a lattice that stores a cell's populations as distances from rest, f - w, in the order of the velocities.
struct StoredPopulations {
  static constexpr int count = q;
  static void from_populations(const double* f, double* stored) {
    for (int i = 0; i < q; ++i)
      stored[i] = f[i] - Lattice::weight(i);
  }
  static void to_populations(const double* stored, double* f) {
    for (int i = 0; i < q; ++i)
      f[i] = stored[i] + Lattice::weight(i);
  }
  /// The mass of a cell is 1 plus, for each term, `factor` times the sum of `count` stored values from `first` on.
  struct Term {
    int first, count;
    double factor;
  };
  static constexpr Term mass[] = {{0, q, 1}};
};

/// Form of a lattice that stores a cell's ten coefficients (collide.h).
struct StoredMoments {
  static constexpr int count = numbers;
  static void from_populations(const double* f, double* stored) { project(f, stored); }
  static void to_populations(const double* stored, double* f) { populations_of(stored, f); }
  static constexpr StoredPopulations::Term mass[] = {{0, 1, 1 / edge}, {4, 3, 1 / (3 * edge)}};
};

/// Arguments of a kernel that advances a lattice of `Form`, [count][z][y][pitch].
template <class Form, class real>
struct Step {
  using Compute = lattice::Compute<real>;

  Arrays<Form::count, const real> from;  ///< read
  Arrays<Form::count, real> to;          ///< written
  Sides box;
  unsigned pitch;
  int planes;  ///< planes that a block advances, if it marches
  Relaxation<Compute> relaxation;

  /// Elements from one plane to the next, and the offset of a cell in its plane.
  __device__ unsigned plane() const { return pitch * box.ny; }
  __device__ unsigned in_plane(int x, int y) const { return static_cast<unsigned>(y) * pitch + static_cast<unsigned>(x); }
  /// The offset of a cell; each coordinate may lie one cell beyond either end, and wraps.
  __device__ unsigned place(int x, int y, int z) const {
    return wrapped(z, box.nz) * plane() + in_plane(wrapped(x, box.nx), wrapped(y, box.ny));
  }
  __device__ Compute load(int n, unsigned place) const { return lattice::Storage<real>::load(from.of[n][place]); }
  __device__ void store(int n, unsigned place, Compute value) const { to.of[n][place] = lattice::Storage<real>::store(value); }
  /// Loads or stores all values of a cell.
  __device__ __forceinline__ void load(unsigned place, Compute* all) const {
#pragma unroll
    for (int n = 0; n < Form::count; ++n)
      all[n] = load(n, place);
  }
  __device__ __forceinline__ void store(unsigned place, const Compute* all) const {
#pragma unroll
    for (int n = 0; n < Form::count; ++n)
      store(n, place, all[n]);
  }
};

/// Base of CUDA rungs: a GPU with two lattices in `Form`, whose rows are padded to whole lines.
template <class Form, class real>
class LatticePair : public Solver {
 public:
  void wait() override { device_.wait(); }

  void store(ladder::Populations& out) override {
    ladder::Populations stored(Form::count, out.box);
    lattice::cuda::store<real>(device_, from_.data(), places(0, Form::count), stored);
    for_each_cell(stored, out, Form::to_populations);
  }

  void load(const ladder::Populations& in) override { load(in, 1); }

  double conserved() override {
    auto sum = static_cast<double>(extents_.cells());
    for (const auto& term : Form::mass)
      sum += term.factor * lattice::cuda::sum<real>(device_, from_.data(), places(term.first, term.count));
    return sum;
  }

 protected:
  using Step = regularized::Step<Form, real>;
  using Kernel = void (*)(Step);

  /// Allocates at least `least` elements per lattice and writes the initial state. @throws ladder::Unavailable without a GPU;
  /// ladder::InputError beyond its limits
  explicit LatticePair(const Case& c, std::int64_t least = 0)
      : box_{c.nx, c.ny, c.nz},
        extents_(lattice::extents(lattice::numbered<std::int32_t>(c))),
        strides_(lattice::padded_rows<real>(c)),
        relaxation_(c.omega()),
        from_(array(c, least)),
        to_(array(c, least)) {
    lattice::load_initial_planes<Model>(c,
                                        [&](const ladder::Populations& state, std::int64_t repeats) { load(state, repeats); });
  }

  /// Arguments of the next launch.
  [[nodiscard]] Step step(int planes = 0) {
    return {.from = Arrays<Form::count, const real>::from(from_.data(), static_cast<std::size_t>(strides_.q)),
            .to = Arrays<Form::count, real>::from(to_.data(), static_cast<std::size_t>(strides_.q)),
            .box = box_,
            .pitch = static_cast<unsigned>(strides_.y),
            .planes = planes,
            .relaxation = relaxation_};
  }

  /// Lets the next launch read what the last one wrote.
  void swap_lattices() { std::swap(from_, to_); }

  const Device device_ = Device::select();
  const Sides box_;
  const lattice::Extents extents_;
  const lattice::Strides strides_;
  const Relaxation<lattice::Compute<real>> relaxation_;
  Buffer<real> from_, to_;

 private:
  /// As lattice::cuda::load().
  void load(const ladder::Populations& in, std::int64_t repeats) {
    ladder::Populations stored(Form::count, in.box);
    for_each_cell(in, stored, Form::from_populations);
    lattice::cuda::load<real>(device_, from_.data(), places(0, Form::count), stored, repeats);
  }

  [[nodiscard]] Buffer<real> array(const Case& c, std::int64_t least) const {
    const std::int64_t size = std::max(least, lattice::required_span_size(Form::count, extents_, strides_));
    device_.require_memory(2.0 * static_cast<double>(size) * sizeof(real), c.name);
    return {device_, static_cast<std::size_t>(size)};
  }

  /// Places of `count` stored values, starting with `first`.
  [[nodiscard]] lattice::Places places(int first, int count) const {
    lattice::Places all{.q = count, .extents = extents_, .strides = strides_, .access = {}};
    for (int n = 0; n < count; ++n)
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
};

/// Base of solvers that take one step per launch, with one thread per cell.
template <class Form, class real>
class CellByCell : public LatticePair<Form, real> {
 public:
  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      over_(kernel_, this->step());
      this->swap_lattices();
    }
  }

 protected:
  using Kernel = typename LatticePair<Form, real>::Kernel;

  CellByCell(const Case& c, const ladder::Tuning& tuning, Kernel kernel)
      : LatticePair<Form, real>(c), kernel_(kernel), over_(over_cells(this->device_, this->box_, row_block(tuning))) {}

 private:
  const Kernel kernel_;
  const Launch over_;
};

}  // namespace regularized
