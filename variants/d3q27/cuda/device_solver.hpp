#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "backends/cuda/box.hpp"
#include "backends/cuda/buffer.hpp"
#include "backends/cuda/parts.hpp"
#include "variants/d3q27/strides.hpp"
#include "variants/lattice/cuda/tunables.hpp"

namespace d3q27 {

using namespace ladder::cuda;
using lattice::cuda::row_block;

/// Arguments of a kernel that streams from one copy of the lattice to the other.
template <class real>
struct Step {
  real* f;                       ///< written
  const real* f_temp = nullptr;  ///< read; none if the lattice is updated in place
  Sides box;
  real omega;
};

/// Arguments of a kernel that keeps the box in parts, one per block, for many steps.
template <class real>
struct Steps {
  real* f;  ///< [27][z][y][x], read before the first step and written after the last
  std::int64_t steps;
  Parts parts;
  Sides box;
  real omega;
};

/// Sides of the box of a case.
inline Sides box_of(const Case& c) { return {c.nx, c.ny, c.nz}; }

/// The number of direction i among the 18 that lead to the east or west: 1, 2; 7 to 14; 19 to 26.
__device__ constexpr int along_x(int i) { return i < 7 ? i - 1 : i < 15 ? i - 5 : i - 9; }

/// Where the populations lie between two steps: in the cells that they leave, or, after an odd number of steps, in the cells
/// that they move to (`push`: in their own places; `in_place`: in those of the opposite directions).
enum class Streaming { pull, pull_push, in_place };

/// A case on the GPU: one copy of the lattice or two, the initial state, and the populations at any parity.
template <class real, Streaming streaming>
class DeviceSolver : public Solver {
 public:
  void wait() final { device_.wait(); }
  void store(ladder::Populations& out) final {
    if (turned_)
      copy_moved(case_, f_.read(), strides_, streaming == Streaming::in_place, out);
    else
      copy_populations<real>(case_, f_.read(), strides_, out);
  }

 protected:
  /// @throws ladder::Unavailable without a GPU; ladder::InputError beyond its limits
  DeviceSolver(const Case& c, Shape block, const Strides& strides, int copies = streaming == Streaming::in_place ? 1 : 2)
      : case_(within_limits(c, block, copies)), block_(block), strides_(strides) {
    f_.write(initial_numbers<real>(c, strides, f_.size()));
    if (copies == 2) g_.emplace(device_, f_.size());
  }

  /// The populations, and the other copy of the lattice.
  real* f() { return f_.data(); }
  real* g() { return g_->data(); }
  /// A step from one copy to the other was queued.
  void swap() {
    std::swap(f_, *g_);
    turn();
  }
  /// A step was queued.
  void turn() { turned_ = streaming != Streaming::pull && !turned_; }
  /// Whether an odd number of steps was queued, by a rung for which it makes a difference.
  [[nodiscard]] bool turned() const { return turned_; }

  [[nodiscard]] const ladder::cuda::Device& device() const { return device_; }
  [[nodiscard]] Shape block() const { return block_; }
  [[nodiscard]] const Strides& strides() const { return strides_; }
  [[nodiscard]] Sides box() const { return box_of(case_); }
  [[nodiscard]] real omega() const { return static_cast<real>(case_.omega()); }

 private:
  using Lattice = ladder::cuda::Buffer<real>;

  const Case& within_limits(const Case& c, Shape block, int copies) const {
    device_.require_block(block);
    if (c.cells() > INT32_MAX) throw ladder::InputError(c.name + ": kernels number up to 2147483647 cells");
    device_.require_memory(static_cast<double>(c.cells()) * copies * q * sizeof(real), c.name);
    return c;
  }

  const ladder::cuda::Device device_ = ladder::cuda::Device::select();
  const Case case_;
  const Shape block_;
  const Strides strides_;
  Lattice f_{device_, std::max<std::size_t>(q* strides_.q, q* case_.cells())};
  std::optional<Lattice> g_;
  bool turned_ = false;
};

}  // namespace d3q27
