#pragma once

#include <cstddef>
#include <cstdint>

#include "roofline/ceilings/ceiling.hpp"

/// The ceilings' kernels, as launched by the host. Arrays are aligned to 16 bytes, the size of the vector that a thread
/// processes at a time; `vectors` is their number. `repeats` is the number of sweeps per launch; each thread repeats the same
/// part.
namespace ladder::ceilings {

/// Bytes of a vector, the widest that one instruction can load or store.
constexpr std::size_t vector_bytes = 16;
template <class T>
constexpr std::size_t width = vector_bytes / sizeof(T);

/// a[i] = input element first + i, for i < size. Any block size works.
template <class T>
using Fill = void (*)(T* a, std::size_t first, std::size_t size);
template <class T>
Fill<T> fill_kernel();
/// a[i] = 1 or 2, in scattered order.
template <class T>
Fill<T> fill_summands_kernel();

/// An expected value: u times input element `a + i`, plus v times input element `b + i`.
struct Expected {
  double u = 1;
  std::size_t a = 0;
  double v = 0;
  std::size_t b = 0;
};

/// Lowers `first` to the smallest i < size for which actual[i] differs from its expected value; NaN always differs.
template <class T>
using Compare = void (*)(const T* actual, std::size_t size, Expected expected, unsigned long long* first);
template <class T>
Compare<T> compare_kernel();

/// The STREAM kernel of this kind: computes c from a and, if it has two sources, b. Blocks stride over the arrays in tiles of
/// `unroll` vectors per thread, so any number of blocks covers them.
template <class T>
using StreamKernel = void (*)(const T* a, const T* b, T* c, std::size_t vectors, std::int64_t repeats);
/// @param unroll  1 or 4
template <class T>
StreamKernel<T> stream_kernel(const Kind& kind, Store store, int unroll);

/// Copies array q of `from`, [array][stride], to array q + 1 (mod Q) of `to`; the next sweep copies back. All counts are in
/// four-byte units.
using CopyQKernel = void (*)(const float* from, float* to, std::size_t size, std::size_t stride, std::int64_t repeats);

/// How copy-Q divides the lattice among threads.
enum class Pattern {
  numbers,  ///< four bytes of each array per thread; all loads precede the first store
  vectors,  ///< 16 bytes of each array per thread; all loads precede the first store
  batches,  ///< 16 bytes of each array per thread, loading four arrays at a time
  rows,     ///< 64 bytes of one array per thread; Q consecutive blocks handle the same sites. One sweep per launch
};
CopyQKernel copy_q_kernel(int q, Store store, Pattern pattern);

/// For `read` and `shared`: independent sums per thread, in vectors, and threads per block.
constexpr std::size_t sums_a_thread = 4;
constexpr std::size_t summing_threads = 256;

/// sums[thread][sum] = `repeats` times the sum of this thread's part of `a`, with `part` vectors per block. `none` is 0, but
/// the compiler does not know this, so each repetition has to read again.
template <class T>
using ReadKernel = void (*)(const T* a, std::size_t part, std::int64_t repeats, std::int64_t none, T* sums);
/// @param past_l1  whether loads bypass the L1 cache
template <class T>
ReadKernel<T> read_kernel(bool past_l1);

/// The same from shared memory, where each block keeps `sums_a_thread * summing_threads` vectors of `a`.
template <class T>
using SharedKernel = void (*)(const T* a, std::int64_t repeats, int none, T* sums);
template <class T>
SharedKernel<T> shared_kernel();

/// Computes x <- m x + c 7 `times` times for each x[chain][thread].
template <class T>
using FmaKernel = void (*)(T* x, std::int64_t times, T m, T c);
/// @param chains  per thread: 2, 4, 8 or 16
template <class T>
FmaKernel<T> fma_kernel(int chains);

/// Adds `by` to `count` if it is not 0, and does nothing else.
using TickKernel = void (*)(long long* count, long long by);
TickKernel tick_kernel();

/// Synchronizes all blocks `times` times. If `late` is not null, each block first writes its arrival to its element of `slots`,
/// then counts in `late` how often its neighbour had not arrived.
using SyncKernel = void (*)(std::int64_t times, unsigned long long* slots, unsigned long long* late);
/// For a cooperative launch.
SyncKernel grid_sync_kernel();
/// For a launch as one cluster.
SyncKernel cluster_sync_kernel();

}  // namespace ladder::ceilings
