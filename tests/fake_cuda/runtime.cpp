/// The CUDA runtime functions, emulated on the CPU.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backends/cuda/launch.hpp"
#include "backends/status.hpp"
#include "tests/fake_cuda/grid.hpp"
#include "tests/fake_cuda/memory.hpp"
#include "tests/fake_cuda/random.hpp"
#include "tests/fake_cuda/streams.hpp"

struct CUgraph_st {
  std::vector<fake_cuda::Work> work;
};
struct CUgraphExec_st {
  std::vector<fake_cuda::Work> work;
};

namespace ladder {
namespace cuda {
BackendStatus status();
}
namespace fake_cuda {
/// The project's CUDA backend, running on the CPU.
BackendStatus status() { return cuda::status(); }
}  // namespace fake_cuda
}  // namespace ladder

namespace fake_cuda {
namespace {

constexpr std::size_t shared_without_asking = std::size_t{48} << 10;
constexpr std::size_t memory = std::size_t{1} << 30;
constexpr int most_threads = 1024;

int devices() { return number_of("FAKE_CUDA_DEVICES", 1); }
int current = 0;

struct Kernel {
  Bind bind;
  std::size_t most_shared = shared_without_asking;
};
std::map<const void*, Kernel>& kernels() {
  static std::map<const void*, Kernel> all;
  return all;
}

bool is_device_memory(const void* data) {
  const Array* const array = array_of(data);
  return array != nullptr && array->device >= 0;
}
/// Whether `bytes` bytes from this address lie in one array, or in ordinary host memory.
bool fits(const void* data, std::size_t bytes) {
  const Array* const array = array_of(data);
  return array == nullptr || static_cast<const unsigned char*>(data) + bytes <= array->data + array->bytes;
}
/// Whether a copy kind matches its destination and source.
bool is_right(cudaMemcpyKind kind, bool to_device, bool from_device) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return !to_device && !from_device;
    case cudaMemcpyHostToDevice:
      return to_device && !from_device;
    case cudaMemcpyDeviceToHost:
      return !to_device && from_device;
    case cudaMemcpyDeviceToDevice:
      return to_device && from_device;
    case cudaMemcpyDefault:
      return true;
  }
  return false;
}

/// Queues a copy. Copies from or to host memory that is not page-locked are done immediately, after all earlier work.
void queue_copy(cudaStream_t stream, const void* to, const void* from, std::function<void()> copy) {
  enqueue(stream, [copy = std::move(copy)] {
    const Access all(-1);
    copy();
    return true;
  });
  if (array_of(to) == nullptr || array_of(from) == nullptr) finish(stream);
}

}  // namespace

void know(const void* kernel, Bind bind) { kernels()[kernel].bind = bind; }

}  // namespace fake_cuda

using namespace fake_cuda;

const char* cudaGetErrorName(cudaError_t code) {
  return code == cudaSuccess ? "cudaSuccess" : "an error of the fake CUDA runtime";
}
const char* cudaGetErrorString(cudaError_t code) {
  static std::string text;
  text = "error " + std::to_string(static_cast<int>(code));
  return text.c_str();
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = devices();
  return *count > 0 ? cudaSuccess : cudaErrorNoDevice;
}
cudaError_t cudaGetDevice(int* device) {
  *device = current;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= devices()) return cudaErrorInvalidDevice;
  current = device;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (device < 0 || device >= devices()) return cudaErrorInvalidDevice;
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "a processor in place of a GPU, for tests");
  properties->totalGlobalMem = memory;
  properties->sharedMemPerBlockOptin = most_shared;
  properties->major = 9;
  properties->multiProcessorCount = 3;
  properties->l2CacheSize = 1 << 20;
  properties->maxThreadsPerBlock = most_threads;
  std::fill_n(properties->maxThreadsDim, 3, most_threads);
  std::fill_n(properties->maxGridSize, 3, 65535);
  properties->maxGridSize[0] = 2147483647;
  properties->pciBusID = device;
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  *can = device != peer && number_of("FAKE_CUDA_PEERS", 1) != 0 ? 1 : 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  int can = 0;
  cudaDeviceCanAccessPeer(&can, current, peer);
  if (can == 0) return cudaErrorPeerAccessUnsupported;
  if (is_peer(current, peer)) return cudaErrorPeerAccessAlreadyEnabled;
  enable_peer(current, peer);
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
  *data = nullptr;
  if (bytes == 0) return cudaSuccess;
  *data = bytes <= memory ? allocate(bytes, current) : nullptr;
  return *data != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaFree(void* data) {
  if (data == nullptr) return cudaSuccess;
  finish_all();
  return release(data) ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* data) {
  const Array* const array = array_of(data);
  if (array == nullptr || array->data != data || array->device < 0) return cudaErrorInvalidValue;
  const Name name = name_of(*array);
  static_assert(sizeof name <= sizeof *handle);
  std::memcpy(handle, &name, sizeof name);
  return cudaSuccess;
}
cudaError_t cudaIpcOpenMemHandle(void** data, cudaIpcMemHandle_t handle, unsigned) {
  Name name;
  std::memcpy(&name, &handle, sizeof name);
  *data = map(name, current);
  return *data != nullptr ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaIpcCloseMemHandle(void* data) { return cudaFree(data); }
cudaError_t cudaHostAlloc(void** data, std::size_t bytes, unsigned) {
  *data = allocate(bytes, -1);
  return *data != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaFreeHost(void* data) { return cudaFree(data); }
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = memory;
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* data, int byte, std::size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  if (!is_device_memory(data) || !fits(data, bytes)) return cudaErrorInvalidValue;
  queue_copy(stream, data, data, [=] { std::memset(data, byte, bytes); });
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, stream);
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                              std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  if (width == 0 || height == 0) return cudaSuccess;
  if (!fits(to, (height - 1) * to_pitch + width) || !fits(from, (height - 1) * from_pitch + width) ||
      !is_right(kind, is_device_memory(to), is_device_memory(from)))
    return cudaErrorInvalidValue;
  queue_copy(stream, to, from, [=] {
    for (std::size_t row = 0; row < height; ++row)
      std::memcpy(static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch, width);
  });
  return cudaSuccess;
}
cudaError_t fake_cuda_copy_to_symbol(void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                                     cudaStream_t stream) {
  queue_copy(stream, symbol, from, [=] { std::memcpy(static_cast<char*>(symbol) + offset, from, bytes); });
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = make_stream(current);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  destroy_stream(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  finish(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  enqueue(stream, [marks = event->marks, time = event->marks->recorded] { return marks->reached >= time; });
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = new CUevent_st{current};
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (event->device != stream->device) return cudaErrorInvalidResourceHandle;
  enqueue(stream, [marks = event->marks, time = ++event->marks->recorded] {
    marks->reached = std::max(marks->reached, time);
    return true;
  });
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  stream->recorder = new std::vector<Work>;
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  const std::unique_ptr<std::vector<Work>> work(std::exchange(stream->recorder, nullptr));
  *graph = new CUgraph_st{*work};
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  *executable = new CUgraphExec_st{graph->work};
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  for (const Work& work : executable->work)
    enqueue(stream, work);
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete executable;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* kernel, dim3 blocks, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t stream) {
  const auto known = kernels().find(kernel);
  if (known == kernels().end()) return cudaErrorInvalidDeviceFunction;
  if (stream->device != current) return cudaErrorInvalidResourceHandle;
  if (block.x * block.y * block.z > most_threads || shared > known->second.most_shared) return cudaErrorInvalidValue;
  enqueue(stream, [blocks, block, shared, thread = known->second.bind(kernel, arguments), device = stream->device] {
    const Access own(device);
    run_grid(blocks, block, shared, thread);
    return true;
  });
  return cudaSuccess;
}
cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, std::size_t, cudaStream_t) {
  return cudaErrorNotSupported;
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**) { return cudaErrorNotSupported; }
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  *attributes = {.sharedSizeBytes = 0, .maxThreadsPerBlock = most_threads, .ptxVersion = 90};
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (static_cast<std::size_t>(value) > most_shared) return cudaErrorInvalidValue;
  kernels()[kernel].most_shared = std::max(shared_without_asking, static_cast<std::size_t>(value));
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* count, const void*, int threads, std::size_t shared) {
  *count = std::min(2 * most_threads / threads, static_cast<int>(most_shared / std::max<std::size_t>(1, shared)));
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveClusters(int* count, const void*, const cudaLaunchConfig_t*) {
  *count = 0;
  return cudaSuccess;
}
