#include "backends/cuda/share.hpp"

#include <cstdlib>
#include <numeric>
#include <string>

#include "backends/cuda/device.hpp"
#include "backends/cuda/peer.hpp"

namespace ladder::cuda {

std::vector<int> devices_to_share() {
  int count = 0;
  LADDER_CUDA(cudaGetDeviceCount(&count));
  if (count == 0) throw Unavailable("no CUDA device");
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  const char* const wanted = std::getenv(device_variable);
  if (wanted == nullptr || *wanted == '\0') return all;
  std::vector<std::string> names;
  for (const int gpu : all) {
    cudaDeviceProp properties{};
    LADDER_CUDA(cudaGetDeviceProperties(&properties, gpu));
    names.emplace_back(properties.name);
  }
  return {chosen_device(wanted, names)};
}

int device_count() { return static_cast<int>(devices_to_share().size()); }

void enable_peer_access(int gpu, int other) {
  if (gpu == other) return;
  int can = 0;
  LADDER_CUDA(cudaDeviceCanAccessPeer(&can, gpu, other));
  if (can == 0)
    throw Unavailable("GPU " + std::to_string(gpu) + " cannot access the memory of GPU " + std::to_string(other) +
                      " (peer access)");
  make_current(gpu);
  const cudaError_t made = cudaDeviceEnablePeerAccess(other, 0);
  if (made == cudaErrorPeerAccessAlreadyEnabled)
    static_cast<void>(cudaGetLastError());  // clears the error; otherwise the next launch would report it
  else
    LADDER_CUDA(made);
}

}  // namespace ladder::cuda
