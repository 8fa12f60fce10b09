#include "roofline/ceilings/opencl/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/memory.hpp"

namespace ladder::ceilings {
namespace {

cl::Program build_kernels(const opencl::Device& device, const Geometry& geometry, const Request& request, int arrays) {
  if (request.real == sizeof(double)) device.require_double();
  const std::string real = request.real == sizeof(double) ? "double" : "float";
  const auto program = opencl::build(device, {kernels_text},
                                     {{"real", real},
                                      {"numbers", real + std::to_string(geometry.width)},
                                      {"group_size", std::to_string(geometry.group)},
                                      {"block_size", std::to_string(geometry.block)},
                                      {"chains", std::to_string(geometry.chains)},
                                      {"arrays", std::to_string(arrays)},
                                      {"put", "put_" + std::string(to_string(request.store))}});
  const std::string names = LADDER_CL(program.getInfo<CL_PROGRAM_KERNEL_NAMES>());
  if (request.store == Store::nt && names.find("has_put_nt") == std::string::npos)
    throw Unavailable(device.name() + ": its OpenCL compiler has no non-temporal stores (__builtin_nontemporal_store)");
  return program;
}

}  // namespace

Geometry Geometry::of(const opencl::Device& device, std::size_t real) {
  const std::size_t units = LADDER_CL(device.device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
  if (!device.is_processor()) return {.width = 16 / real, .group = 256, .block = 256, .chains = 2, .groups = 8 * units};
  const std::size_t native = real == sizeof(double) ? LADDER_CL(device.device.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE>())
                                                    : LADDER_CL(device.device.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>());
  const std::size_t width = std::bit_floor(std::clamp<std::size_t>(native, 2, 64 / real));
  return {.width = width, .group = 1, .block = (16 << 10) / (width * real), .chains = 8, .groups = units};
}

Program::Program(const Request& request, int arrays)
    : device(opencl::Device::select()),
      geometry(Geometry::of(device, request.real)),
      program(build_kernels(device, geometry, request, arrays)) {}

std::size_t vectors_per_array(const Request& request, const Program& program, std::size_t arrays, std::size_t buffers) {
  const auto bytes = static_cast<double>(request.bytes);
  program.device.require_memory(bytes, bytes / static_cast<double>(buffers), request.kind.name);
  if (program.device.is_processor()) require_memory(bytes, request.kind.name);
  const std::size_t least = arrays * request.real * program.geometry.width;
  if (request.bytes < least)
    throw InputError(
        fmt::format("--bytes {}: {} needs at least {} bytes on this device", request.bytes, request.kind.name, least));
  return request.bytes / least;
}

}  // namespace ladder::ceilings
