// STREAM: writes one array from one or two others.
#include "roofline/ceilings/cuda/kernels.hpp"
#include "roofline/ceilings/cuda/vector.hpp"

namespace ladder::ceilings {
namespace {

struct Copy {
  static constexpr bool has_b = false;
  template <class T>
  static __device__ T apply(T a, T) {
    return a;
  }
};

struct Scale {
  static constexpr bool has_b = false;
  template <class T>
  static __device__ T apply(T a, T) {
    return 3 * a;
  }
};

struct Add {
  static constexpr bool has_b = true;
  template <class T>
  static __device__ T apply(T a, T b) {
    return a + b;
  }
};

struct Triad {
  static constexpr bool has_b = true;
  template <class T>
  static __device__ T apply(T a, T b) {
    return a + 3 * b;
  }
};

template <class Op>
__device__ float4 apply(float4 a, float4 b) {
  return {Op::apply(a.x, b.x), Op::apply(a.y, b.y), Op::apply(a.z, b.z), Op::apply(a.w, b.w)};
}
template <class Op>
__device__ double2 apply(double2 a, double2 b) {
  return {Op::apply(a.x, b.x), Op::apply(a.y, b.y)};
}

template <class Op, Store store, int unroll, class T>
__global__ void __launch_bounds__(1024) stream(const T* a_, const T* b_, T* c_, std::size_t vectors, std::int64_t repeats) {
  using V = Vector<T>;
  const V* const a = reinterpret_cast<const V*>(a_);
  const V* const b = reinterpret_cast<const V*>(b_);
  V* const c = reinterpret_cast<V*>(c_);
  const std::size_t tile = std::size_t{unroll} * blockDim.x;
  for (; repeats > 0; --repeats)
    for (std::size_t first = blockIdx.x * tile + threadIdx.x; first < vectors; first += gridDim.x * tile) {
      V from_a[unroll] = {};
      V from_b[unroll] = {};
#pragma unroll
      for (int k = 0; k < unroll; ++k)
        if (const std::size_t i = first + k * blockDim.x; i < vectors) {
          from_a[k] = fetch(a + i);
          if constexpr (Op::has_b) from_b[k] = fetch(b + i);
        }
#pragma unroll
      for (int k = 0; k < unroll; ++k)
        if (const std::size_t i = first + k * blockDim.x; i < vectors) put<store>(c + i, apply<Op>(from_a[k], from_b[k]));
    }
}

template <class Op, class T>
StreamKernel<T> of_operation(Store store, int unroll) {
  if (store == Store::nt) return unroll == 1 ? stream<Op, Store::nt, 1, T> : stream<Op, Store::nt, 4, T>;
  return unroll == 1 ? stream<Op, Store::plain, 1, T> : stream<Op, Store::plain, 4, T>;
}

}  // namespace

template <class T>
StreamKernel<T> stream_kernel(const Kind& kind, Store store, int unroll) {
  if (kind.name == "scale") return of_operation<Scale, T>(store, unroll);
  if (kind.name == "add") return of_operation<Add, T>(store, unroll);
  if (kind.name == "triad") return of_operation<Triad, T>(store, unroll);
  return of_operation<Copy, T>(store, unroll);
}

template StreamKernel<float> stream_kernel(const Kind&, Store, int);
template StreamKernel<double> stream_kernel(const Kind&, Store, int);

}  // namespace ladder::ceilings
