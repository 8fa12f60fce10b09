#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "backends/opencl/check.hpp"
#include "base/error.hpp"

namespace ladder::opencl {

/// Number of work-items along x and y, in a grid or a work-group.
struct Shape {
  std::size_t x = 1;
  std::size_t y = 1;

  [[nodiscard]] std::size_t items() const { return x * y; }
  /// Number of work-groups of shape `group` that cover these work-items.
  [[nodiscard]] Shape in_groups(Shape group) const { return {(x + group.x - 1) / group.x, (y + group.y - 1) / group.y}; }
  /// Number of work-items that cover this grid if each handles `cells` cells of a row.
  [[nodiscard]] Shape in_spans(std::size_t cells) const { return {(x + cells - 1) / cells, y}; }
  /// Number of work-items that cover this grid if each handles `cells` cells of a column.
  [[nodiscard]] Shape in_columns(std::size_t cells) const { return {x, (y + cells - 1) / cells}; }
};

/// A device with a separate in-order command queue; the process has one context per device.
class Device {
 public:
  /// The device selected by the environment variable LADDER_OPENCL_DEVICE: an index in devices(), a type (the first `gpu`,
  /// `cpu` or `accelerator`) or part of a name, ignoring case. By default the first GPU, or the first device if there is no
  /// GPU.
  /// @throws Unavailable if there is no such device; the message lists the existing ones
  static Device select();

  explicit Device(const cl::Device& device);

  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::string driver() const;  ///< platform and driver version
  [[nodiscard]] bool is_pocl() const;        ///< whether this is a device of PoCL, which compiles for CPUs
  /// `domain:bus:device.function` of an NVIDIA GPU; empty for other devices.
  [[nodiscard]] std::string pci_address() const;
  [[nodiscard]] bool is_processor() const;  ///< whether this is a CPU, which uses the host's memory
  [[nodiscard]] bool has_double() const;    ///< whether it supports double precision
  [[nodiscard]] bool has(std::string_view extension) const;
  [[nodiscard]] std::size_t compute_units() const;
  [[nodiscard]] double cache_bytes() const;  ///< size of the global memory cache
  [[nodiscard]] std::size_t work_group_limit() const;
  [[nodiscard]] Shape work_group_sides() const;  ///< largest work-group size along x and along y

  /// @throws InputError if this work-group shape exceeds the device's limit on work-items, in total or along x or y
  void require_group(Shape group) const;

  /// @throws InputError if the buffers for `what`, `total` bytes with at most `largest` in one, exceed the device's limits
  void require_memory(double total, double largest, std::string_view what) const;

  /// Always throws: the device cannot allocate a buffer of `bytes` bytes. @throws Refused
  [[noreturn]] void refuse_buffer(std::size_t bytes) const;

  /// @throws Unavailable if the device does not support double precision
  void require_double() const;

  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;

 private:
  [[nodiscard]] std::string platform() const;
};

/// All devices of all platforms; their order defines their indices. @throws Error
std::vector<cl::Device> devices();

}  // namespace ladder::opencl
