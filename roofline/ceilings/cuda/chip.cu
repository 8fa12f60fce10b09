// Kernels for on-chip ceilings: caches, shared memory, registers.
#include "roofline/ceilings/cuda/kernels.hpp"
#include "roofline/ceilings/cuda/vector.hpp"

namespace ladder::ceilings {
namespace {

constexpr int sums_of = static_cast<int>(sums_a_thread);

template <class V>
__device__ void store_sums(const V (&s)[sums_of], V* sums) {
  const std::size_t thread = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
#pragma unroll
  for (int k = 0; k < sums_of; ++k)
    sums[thread * sums_of + k] = s[k];
}

template <bool past_l1, class T>
__global__ void __launch_bounds__(summing_threads)
    read(const T* a, std::size_t part, std::int64_t repeats, std::int64_t none, T* sums) {
  using V = Vector<T>;
  V s[sums_of] = {};
  const V* mine = reinterpret_cast<const V*>(a) + blockIdx.x * part + threadIdx.x;
  for (; repeats > 0; --repeats) {
    for (std::size_t i = 0; i < part; i += sums_of * summing_threads) {
      V v[sums_of];
#pragma unroll
      for (int k = 0; k < sums_of; ++k)
        v[k] = past_l1 ? fetch(mine + i + k * summing_threads) : mine[i + k * summing_threads];
#pragma unroll
      for (int k = 0; k < sums_of; ++k)
        add(s[k], v[k]);
    }
    mine += none;
  }
  store_sums(s, reinterpret_cast<V*>(sums));
}

template <class T>
__global__ void __launch_bounds__(summing_threads) shared(const T* a, std::int64_t repeats, int none, T* sums) {
  using V = Vector<T>;
  __shared__ V part[sums_of * summing_threads];
  V s[sums_of] = {};
  const V* const from = reinterpret_cast<const V*>(a) + blockIdx.x * (sums_of * summing_threads);
#pragma unroll
  for (int k = 0; k < sums_of; ++k)
    part[threadIdx.x + k * summing_threads] = from[threadIdx.x + k * summing_threads];
  __syncthreads();
  int mine = static_cast<int>(threadIdx.x);
#pragma unroll 4
  for (; repeats > 0; --repeats) {
#pragma unroll
    for (int k = 0; k < sums_of; ++k)
      add(s[k], part[mine + k * static_cast<int>(summing_threads)]);
    mine += none;
  }
  store_sums(s, reinterpret_cast<V*>(sums));
}

template <int chains, class T>
__global__ void __launch_bounds__(256) multiply_add(T* x, std::int64_t times, T m, T c) {
  const std::size_t threads = gridDim.x * std::size_t{blockDim.x};
  T* const mine = x + blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  T v[chains];
#pragma unroll
  for (int k = 0; k < chains; ++k)
    v[k] = mine[k * threads];
  for (; times > 0; --times)
#pragma unroll
    for (int u = 0; u < 7; ++u)
#pragma unroll
      for (int k = 0; k < chains; ++k)
        v[k] = fma(v[k], m, c);
#pragma unroll
  for (int k = 0; k < chains; ++k)
    mine[k * threads] = v[k];
}

}  // namespace

template <class T>
ReadKernel<T> read_kernel(bool past_l1) {
  return past_l1 ? read<true, T> : read<false, T>;
}
template <class T>
SharedKernel<T> shared_kernel() {
  return shared<T>;
}
template <class T>
FmaKernel<T> fma_kernel(int chains) {
  if (chains == 2) return multiply_add<2, T>;
  if (chains == 4) return multiply_add<4, T>;
  return chains == 8 ? multiply_add<8, T> : multiply_add<16, T>;
}

template ReadKernel<float> read_kernel(bool);
template ReadKernel<double> read_kernel(bool);
template SharedKernel<float> shared_kernel();
template SharedKernel<double> shared_kernel();
template FmaKernel<float> fma_kernel(int);
template FmaKernel<double> fma_kernel(int);

}  // namespace ladder::ceilings
