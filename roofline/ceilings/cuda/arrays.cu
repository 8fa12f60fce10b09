// Initializes arrays and compares them with the expected results.
#include "base/half.hpp"
#include "roofline/ceilings/cuda/kernels.hpp"

namespace ladder::ceilings {
namespace {

/// Element i of the input: from 1 to 2 in steps of 1/1024, like pattern() in roofline/ceilings/verify.hpp.
__device__ double input(std::uint64_t i) { return 1 + static_cast<double>((i * 0x9E3779B97F4A7C15U) >> 54U) / 1024; }

/// Conversion between any number format and double.
template <class T>
__device__ T number(double value) {
  return static_cast<T>(value);
}
template <>
__device__ Half number(double value) {
  return to_half(static_cast<float>(value));
}
__device__ double value(double number) { return number; }
__device__ double value(Half number) { return to_float(number); }

__device__ std::size_t thread() { return blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; }
__device__ std::size_t threads() { return gridDim.x * static_cast<std::size_t>(blockDim.x); }

template <class T>
__global__ void fill(T* a, std::size_t first, std::size_t size) {
  for (std::size_t i = thread(); i < size; i += threads())
    a[i] = number<T>(input(first + i));
}

template <class T>
__global__ void fill_summands(T* a, std::size_t first, std::size_t size) {
  for (std::size_t i = thread(); i < size; i += threads())
    a[i] = input(first + i) < 1.5 ? 1 : 2;
}

template <class T>
__global__ void compare(const T* actual, std::size_t size, Expected e, unsigned long long* first) {
  for (std::size_t i = thread(); i < size; i += threads())
    if (!(value(actual[i]) == e.u * input(e.a + i) + e.v * input(e.b + i))) {
      atomicMin(first, static_cast<unsigned long long>(i));
      return;
    }
}

}  // namespace

template <class T>
Fill<T> fill_kernel() {
  return fill<T>;
}
template <class T>
Fill<T> fill_summands_kernel() {
  return fill_summands<T>;
}
template <class T>
Compare<T> compare_kernel() {
  return compare<T>;
}

template Fill<float> fill_kernel();
template Fill<double> fill_kernel();
template Fill<Half> fill_kernel();
template Fill<float> fill_summands_kernel();
template Fill<double> fill_summands_kernel();
template Compare<float> compare_kernel();
template Compare<double> compare_kernel();
template Compare<Half> compare_kernel();

}  // namespace ladder::ceilings
