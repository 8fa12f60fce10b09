#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "backends/opencl/buffer.hpp"
#include "backends/opencl/device.hpp"
#include "base/half.hpp"

namespace ladder::opencl {

/// Macros for building a program, e.g. {{"real", "float"}, {"wx", "32"}}.
using Definitions = std::vector<std::pair<std::string, std::string>>;

/// Text that starts every program with the macros `real`, `wx` and `wy`: work_group, group_sum() and a cell's neighbours.
extern const std::string_view common_text;

/// The OpenCL C name of a numeric type: `float`, `double`, `int`, `ulong`, …; `ushort` for Half, because not all devices
/// support variables of type `half`.
template <class T>
constexpr std::string_view number_name() {
  static_assert(std::is_arithmetic_v<T> || std::is_same_v<T, Half>, "neither a number nor a Buffer");
  if constexpr (std::is_floating_point_v<T>) return sizeof(T) == sizeof(float) ? "float" : "double";
  constexpr bool is_signed = std::is_signed_v<T>;
  if constexpr (sizeof(T) == 1) return is_signed ? "char" : "uchar";
  if constexpr (sizeof(T) == 2) return is_signed ? "short" : "ushort";
  if constexpr (sizeof(T) == 4) return is_signed ? "int" : "uint";
  return is_signed ? "long" : "ulong";
}

/// The macros `real`, the element type of the lattice, and `wx` and `wy`, the work-group's shape.
template <class real>
Definitions group_definitions(Shape group) {
  return {{"real", std::string(number_name<real>())}, {"wx", std::to_string(group.x)}, {"wy", std::to_string(group.y)}};
}

/// A named kernel argument: a number or a Buffer.
class Argument {
 public:
  template <class T>
  Argument(std::string_view name_, const T& number) : name(name_), type(number_name<T>()), size(sizeof number) {
    std::memcpy(bytes_.data(), &number, sizeof number);
  }
  template <class T>
  Argument(std::string_view name_, const Buffer<T>& buffer)
      : name(name_), type(number_name<T>()), is_buffer(true), size(sizeof(cl_mem)) {
    const cl_mem memory = buffer.handle()();
    std::memcpy(bytes_.data(), &memory, sizeof memory);
  }

  [[nodiscard]] const void* value() const { return bytes_.data(); }

  std::string_view name;
  std::string_view type;  ///< OpenCL C name of the number's type, or of the buffer's element type
  bool is_buffer = false;
  std::size_t size;  ///< bytes at value()

 private:
  std::array<std::byte, 8> bytes_{};
};

/// A kernel that is launched with a fixed work-group shape. Its arguments are named: constant arguments are bound once;
/// changing ones are passed to each launch.
class Kernel {
 public:
  /// Binds those of `arguments` that the kernel has parameters for; the others belong to other kernels.
  /// @throws InputError if this kernel cannot run in such work-groups (registers, local memory); Error if an argument's type
  /// differs from its parameter's, or the device does not report parameter names
  Kernel(const Device& device, const cl::Program& program, const char* name, Shape group,
         std::span<const Argument> arguments = {});

  /// @throws Refused if a work-group does not form exactly one sub-group
  void require_one_sub_group(const Device& device) const;

  /// Binds arguments for all later launches. @throws Error if the kernel has no such parameter, or its type differs
  void bind(std::initializer_list<Argument> arguments);

  /// Binds `arguments` and enqueues the kernel over at least `items` work-items. Each side is rounded up to a multiple of the
  /// work-group's side, so work-items beyond the grid must return at once.
  /// @throws Error under the same conditions as bind(), or if a parameter was never bound
  void operator()(Shape items, std::initializer_list<Argument> arguments = {});

 private:
  struct Parameter {
    std::string name;
    std::string type;  ///< OpenCL C name, e.g. `int`, `float*`, `float8*`
    bool bound = false;
  };

  [[nodiscard]] std::vector<Parameter> ask_parameters() const;
  /// @throws InputError if the kernel cannot run with its work-group shape
  void require_limits(const Device& device) const;
  Parameter* find(std::string_view name);
  void set(Parameter& parameter, const Argument& argument);
  [[noreturn]] void refuse_unknown(const Argument& argument) const;
  [[noreturn]] void refuse_unbound(const Parameter& parameter) const;
  [[noreturn]] void refuse_type(const Parameter& parameter, const Argument& argument) const;
  [[noreturn]] void refuse(const std::string& why) const;

  cl::CommandQueue queue_;
  cl::Kernel kernel_;
  std::string name_;
  Shape group_;
  std::vector<Parameter> parameters_;
};

/// Compiles the concatenated `sources` as one program; `language` is the value of -cl-std. A build log that is not empty goes
/// to standard error.
/// @throws Error with the build log if compilation fails
cl::Program build(const Device& device, const std::vector<std::string_view>& sources, const Definitions& definitions,
                  const std::string& language = "CL1.2");

}  // namespace ladder::opencl
