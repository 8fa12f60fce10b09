// copy-Q: the memory traffic of a lattice Boltzmann step with two lattices, and nothing else. Copies raw bytes of any type.
#include <type_traits>

#include "roofline/ceilings/cuda/kernels.hpp"
#include "roofline/ceilings/cuda/vector.hpp"

namespace ladder::ceilings {
namespace {

/// Each thread copies the same sites in every sweep, so it reads only data that it wrote itself.
template <class V, Store store, int Q, int batch>
__global__ void __launch_bounds__(256)
    copy_sites(const float* from_, float* to_, std::size_t size, std::size_t stride, std::int64_t repeats) {
  constexpr std::size_t part = sizeof(V) / sizeof(float);
  const V* from = reinterpret_cast<const V*>(from_);
  V* to = reinterpret_cast<V*>(to_);
  size /= part;
  stride /= part;
  for (; repeats > 0; --repeats) {
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < size;
         i += gridDim.x * std::size_t{blockDim.x}) {
#pragma unroll
      for (int q = 0; q < Q; q += batch) {
        V v[batch];
#pragma unroll
        for (int k = 0; k < batch; ++k)
          if (q + k < Q) v[k] = fetch(from + (q + k) * stride + i);
#pragma unroll
        for (int k = 0; k < batch; ++k)
          if (q + k < Q) put<store>(to + (q + k + 1) % Q * stride + i, v[k]);
      }
    }
    V* const back = const_cast<V*>(from);
    from = to;
    to = back;
  }
}

/// Each block copies a row of one array.
template <Store store, int Q>
__global__ void __launch_bounds__(256)
    copy_rows(const float* from_, float* to_, std::size_t size, std::size_t stride, std::int64_t) {
  constexpr int unroll = 4;
  const float4* const from = reinterpret_cast<const float4*>(from_);
  float4* const to = reinterpret_cast<float4*>(to_);
  size /= 4;
  stride /= 4;
  const unsigned q = blockIdx.x % Q;
  const std::size_t first = blockIdx.x / Q * std::size_t{unroll} * blockDim.x + threadIdx.x;
  float4 v[unroll] = {};
#pragma unroll
  for (int k = 0; k < unroll; ++k)
    if (const std::size_t i = first + k * blockDim.x; i < size) v[k] = fetch(from + q * stride + i);
#pragma unroll
  for (int k = 0; k < unroll; ++k)
    if (const std::size_t i = first + k * blockDim.x; i < size) put<store>(to + (q + 1) % Q * stride + i, v[k]);
}

template <int Q, Store store>
CopyQKernel of_pattern(Pattern pattern) {
  switch (pattern) {
    case Pattern::numbers:
      return copy_sites<float, store, Q, Q>;
    case Pattern::vectors:
      return copy_sites<float4, store, Q, Q>;
    case Pattern::batches:
      return copy_sites<float4, store, Q, 4>;
    case Pattern::rows:
      break;
  }
  return copy_rows<store, Q>;
}

template <int Q>
CopyQKernel of_store(Store store, Pattern pattern) {
  return store == Store::nt ? of_pattern<Q, Store::nt>(pattern) : of_pattern<Q, Store::plain>(pattern);
}

}  // namespace

CopyQKernel copy_q_kernel(int q, Store store, Pattern pattern) {
  if (q == 9) return of_store<9>(store, pattern);
  if (q == 19) return of_store<19>(store, pattern);
  if (q == 27) return of_store<27>(store, pattern);
  return of_store<37>(store, pattern);
}

}  // namespace ladder::ceilings
