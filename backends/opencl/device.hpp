#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "backends/opencl/check.hpp"
#include "base/error.hpp"

namespace ladder::opencl {

/// Work-items along x and y: of a grid, or of a work-group.
struct Shape {
  std::size_t x = 1;
  std::size_t y = 1;

  [[nodiscard]] std::size_t items() const { return x * y; }
  /// Work-groups of the shape `group` that cover these work-items.
  [[nodiscard]] Shape in_groups(Shape group) const { return {(x + group.x - 1) / group.x, (y + group.y - 1) / group.y}; }
  /// Work-items that cover this grid if each works on `cells` of a row.
  [[nodiscard]] Shape in_strips(std::size_t cells) const { return {(x + cells - 1) / cells, y}; }
  /// Work-items that cover this grid if each works on `cells` of a column.
  [[nodiscard]] Shape in_columns(std::size_t cells) const { return {x, (y + cells - 1) / cells}; }
};

/// One device with a context and an in-order command queue of its own.
class Device {
 public:
  /// The device that the environment variable LADDER_OPENCL_DEVICE names, by its number in devices(), by its type (the first
  /// `gpu`, `cpu` or `accelerator`) or by a part of its name, ignoring case; by default the first GPU, else the first device.
  /// @throws Unavailable if there is no such device; the message lists the existing ones
  static Device select();

  explicit Device(const cl::Device& device);

  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::string driver() const;  ///< platform and driver version
  [[nodiscard]] bool is_pocl() const;        ///< a device of PoCL, which compiles for processors
  /// `domain:bus:device.function` of an NVIDIA GPU; empty for other devices.
  [[nodiscard]] std::string pci_address() const;
  [[nodiscard]] bool is_processor() const;  ///< a CPU: its memory is the host's
  [[nodiscard]] bool has_double() const;    ///< double precision
  [[nodiscard]] bool has(std::string_view extension) const;
  [[nodiscard]] std::size_t compute_units() const;
  [[nodiscard]] double cache_bytes() const;  ///< of the cache for global memory
  [[nodiscard]] std::size_t work_group_limit() const;
  [[nodiscard]] Shape work_group_sides() const;  ///< largest number of work-items of a work-group along x and along y

  /// @throws InputError if a work-group of this shape has more work-items than the device can run, in total or along x or y
  void require_group(Shape group) const;

  /// @throws InputError if buffers of `total` bytes, the largest of `largest`, are more than the device has for `what`
  void require_memory(double total, double largest, std::string_view what) const;

  /// @throws Refused, always: the device cannot allocate a buffer of so many bytes
  [[noreturn]] void refuse_buffer(std::size_t bytes) const;

  /// @throws Unavailable if the device has no double precision
  void require_double() const;

  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;

 private:
  [[nodiscard]] std::string platform() const;
};

/// Every device of every platform, in the order in which they are numbered. @throws Error
std::vector<cl::Device> devices();

}  // namespace ladder::opencl
