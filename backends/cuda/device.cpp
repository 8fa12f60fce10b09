#include "backends/cuda/device.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <vector>

#include "backends/cuda/share.hpp"
#include "base/nvml.hpp"

namespace ladder::cuda {
namespace {

cudaDeviceProp properties_of(int index) {
  cudaDeviceProp properties{};
  LADDER_CUDA(cudaGetDeviceProperties(&properties, index));
  return properties;
}

/// The driver's version according to NVIDIA's management library; empty if unknown.
std::string driver_version() {
  const auto version = Nvml().function<int (*)(char*, unsigned)>("nvmlSystemGetDriverVersion");
  std::array<char, 96> text{};
  return version == nullptr || version(text.data(), text.size()) != 0 ? std::string() : text.data();
}

}  // namespace

int chosen_device(const char* wanted, std::span<const std::string> names) {
  if (wanted == nullptr || *wanted == '\0') return 0;
  const std::string_view text = wanted;
  std::size_t index = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error == std::errc{} && stop == text.data() + text.size() && index < names.size()) return static_cast<int>(index);
  std::string there;
  for (std::size_t i = 0; i < names.size(); ++i)
    there += fmt::format("{}{} '{}'", i == 0 ? "" : ", ", i, names[i]);
  throw Unavailable(
      fmt::format("{} is '{}', which is not the number of a CUDA device; available: {}", device_variable, text, there));
}

void require_block(const cudaDeviceProp& gpu, Shape block) {
  const auto limit = static_cast<std::size_t>(gpu.maxThreadsPerBlock);
  const auto x = static_cast<std::size_t>(gpu.maxThreadsDim[0]);
  const auto y = static_cast<std::size_t>(gpu.maxThreadsDim[1]);
  if (block.count() > 0 && block.count() <= limit && block.x <= x && block.y <= y) return;
  throw Refused(Reason::device_limit, fmt::format("a block of {} x {} = {} threads: {} accepts up to {}, at most {} x {}",
                                                  block.x, block.y, block.count(), gpu.name, limit, x, y));
}

void require_grid(const cudaDeviceProp& gpu, Shape blocks) {
  const auto x = static_cast<std::size_t>(gpu.maxGridSize[0]);
  const auto y = static_cast<std::size_t>(gpu.maxGridSize[1]);
  if (blocks.count() > 0 && blocks.x <= x && blocks.y <= y) return;
  throw Refused(Reason::device_limit,
                fmt::format("a grid of {} x {} blocks: {} accepts up to {} x {}", blocks.x, blocks.y, gpu.name, x, y));
}

void require_memory(const cudaDeviceProp& gpu, double bytes, std::string_view what) {
  const auto there = static_cast<double>(gpu.totalGlobalMem);
  if (bytes <= there) return;
  throw Refused(Reason::no_memory, fmt::format("{} needs {:.3g} GB on the device; {} accepts up to {:.3g} GB", what,
                                               bytes * 1e-9, gpu.name, there * 1e-9));
}

Device Device::select() { return Device(devices_to_share().front()); }

std::optional<Device> Device::available() {
  try {
    return select();
  } catch (const Unavailable&) {
    return std::nullopt;
  }
}

Device::Device(int index) : properties_(properties_of(index)) {
  LADDER_CUDA(cudaSetDevice(index));
  cudaStream_t stream = nullptr;
  LADDER_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  stream_.reset(stream);
}

std::string Device::driver() const {
  int cuda = 0;
  LADDER_CUDA(cudaDriverGetVersion(&cuda));
  const std::string own = driver_version();
  return fmt::format("NVIDIA {}{}CUDA {}.{}", own, own.empty() ? "" : ", ", cuda / 1000, cuda % 1000 / 10);
}

std::string Device::pci_address() const {
  return fmt::format("{:08x}:{:02x}:{:02x}.0", properties_.pciDomainID, properties_.pciBusID, properties_.pciDeviceID);
}

void Device::require_cooperative_launch() const {
  if (properties_.cooperativeLaunch == 0) throw Unavailable(name() + " has no cooperative launch");
}

void Device::require_clusters() const {
  if (properties_.clusterLaunch == 0) throw Unavailable(name() + " has no clusters of blocks (compute capability 9.0 has)");
}

void* Device::allocate(std::size_t bytes) const {
  void* data = nullptr;
  const cudaError_t made = cudaMalloc(&data, bytes);
  if (made != cudaErrorMemoryAllocation) {
    LADDER_CUDA(made);
    return data;
  }
  cudaGetLastError();  // Clear the error; otherwise the next launch would report it.
  std::size_t free = 0;
  std::size_t total = 0;
  LADDER_CUDA(cudaMemGetInfo(&free, &total));
  throw Refused(Reason::no_memory, fmt::format("{} cannot allocate {:.3g} GB: {:.3g} of its {:.3g} GB are free", name(),
                                               static_cast<double>(bytes) * 1e-9, static_cast<double>(free) * 1e-9,
                                               static_cast<double>(total) * 1e-9));
}

}  // namespace ladder::cuda
