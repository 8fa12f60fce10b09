#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "backends/opencl/page_locked.hpp"
#include "backends/opencl/program.hpp"
#include "harness/bench/rung.hpp"
#include "variants/lattice/places.hpp"

/// States in device memory. Kernels gather, scatter and sum the populations of a box through a state's places, so that no other
/// code depends on a rung's layout and pattern. Places::solid is not used: a Transfer keeps the obstacles on the device.
namespace lattice::opencl {

/// The source of the function place(places, i, x, y, z), which returns the index of population i that left cell (x, y, z).
extern const std::string_view places_text;

/// Returns places in the form that place() takes.
ladder::opencl::Buffer<cl_long> on_device(const ladder::opencl::Device& device, const Places& places);

/// Copies between the host and a state f on the device, in parts of bounded size and through page-locked memory.
template <class real>
class Transfer {
 public:
  /// For states of `cells` cells with the populations of these places. `solid` is the same as Places::solid, or empty if all
  /// cells have a state.
  Transfer(const ladder::opencl::Device& device, const Places& places, std::span<const std::uint8_t> solid);

  /// Copies the populations of the cells in `out.box` from `f`, once all earlier work is done.
  void store(const ladder::opencl::Buffer<real>& f, const Places& places, ladder::Populations& out);
  /// Copies the populations of the cells in `in.box` to `f`; returns when done.
  void load(const ladder::opencl::Buffer<real>& f, const Places& places, const ladder::Populations& in);
  /// Returns the sum of all populations of all cells, compensated, once all earlier work is done.
  double sum(const ladder::opencl::Buffer<real>& f, const Places& places);

 private:
  ladder::opencl::Device device_;
  std::int64_t most_;   ///< maximum number of cells copied at a time
  std::int64_t cells_;  ///< number of cells with a state
  cl::Program program_;
  ladder::opencl::Kernel gather_, scatter_, add_up_;
  ladder::opencl::Buffer<cl_uchar> solid_;    ///< a single element if all cells have a state
  ladder::opencl::Buffer<real> copy_;         ///< [population][cell], on the device
  ladder::opencl::PageLocked<real> staging_;  ///< same layout, on the host
};

}  // namespace lattice::opencl
