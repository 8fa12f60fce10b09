#pragma once

#include <cstddef>
#include <cstdint>

#include "roofline/ceilings/ceiling.hpp"

/// The kernels of the ceilings, as the host launches them. Arrays are aligned to 16 bytes, the vector that a thread processes
/// at once, and `vectors` counts these. `repeats`: sweeps of one launch; each thread repeats its own part.
namespace ladder::ceilings {

/// Bytes of a vector, the widest that one instruction loads or stores.
constexpr std::size_t vector_bytes = 16;
template <class T>
constexpr std::size_t width = vector_bytes / sizeof(T);

/// a[i] = number first + i of the input, i < size. Launched in blocks of any size.
template <class T>
using Fill = void (*)(T* a, std::size_t first, std::size_t size);
template <class T>
Fill<T> fill_kernel();
/// a[i] = 1 or 2, scattered.
template <class T>
Fill<T> fill_summands_kernel();

/// An expected number: u times number `a + i` of the input plus v times number `b + i`.
struct Expected {
  double u = 1;
  std::size_t a = 0;
  double v = 0;
  std::size_t b = 0;
};

/// Lowers `first` to the smallest i < size where actual[i] is not as expected; NaN is never as expected.
template <class T>
using Compare = void (*)(const T* actual, std::size_t size, Expected expected, unsigned long long* first);
template <class T>
Compare<T> compare_kernel();

/// STREAM's kernel of the kind: c from a and, if it has two sources, b. Blocks stride over the arrays in tiles of `unroll`
/// vectors per thread, so that any number of blocks covers them.
template <class T>
using StreamKernel = void (*)(const T* a, const T* b, T* c, std::size_t vectors, std::int64_t repeats);
/// @param unroll  1 or 4
template <class T>
StreamKernel<T> stream_kernel(const Kind& kind, Store store, int unroll);

/// Array q of `from`, [array][stride], to array q + 1 (mod Q) of `to`; the next sweep goes back. All counts are in units of
/// four bytes.
using CopyQKernel = void (*)(const float* from, float* to, std::size_t size, std::size_t stride, std::int64_t repeats);

/// How the threads of copy-Q share the lattice.
enum class Pattern {
  numbers,  ///< four bytes of each array per thread, all loaded before the first is stored
  vectors,  ///< 16 bytes of each array, all loaded before the first is stored
  batches,  ///< 16 bytes of each array, four arrays loaded at a time
  rows,     ///< 64 bytes of one array; Q blocks in a row share the sites of one block. One sweep per launch
};
CopyQKernel copy_q_kernel(int q, Store store, Pattern pattern);

/// Independent sums of a thread of `read` and `shared`, in vectors, and threads of their blocks.
constexpr std::size_t sums_a_thread = 4;
constexpr std::size_t summing_threads = 256;

/// sums[thread][sum] = `repeats` times the sum of this thread's part of `a`: each block has `part` vectors. `none` is 0, but
/// the compiler does not know this and has to read again.
template <class T>
using ReadKernel = void (*)(const T* a, std::size_t part, std::int64_t repeats, std::int64_t none, T* sums);
/// @param past_l1  whether loads bypass the L1 cache
template <class T>
ReadKernel<T> read_kernel(bool past_l1);

/// The same from shared memory, in which each block keeps its `sums_a_thread * summing_threads` vectors of `a`.
template <class T>
using SharedKernel = void (*)(const T* a, std::int64_t repeats, int none, T* sums);
template <class T>
SharedKernel<T> shared_kernel();

/// x <- m x + c, 7 times `times`, for each of x[chain][thread].
template <class T>
using FmaKernel = void (*)(T* x, std::int64_t times, T m, T c);
/// @param chains  of a thread: 2, 4, 8 or 16
template <class T>
FmaKernel<T> fma_kernel(int chains);

/// Adds `by` to `count` if it is not 0, and does nothing else.
using TickKernel = void (*)(long long* count, long long by);
TickKernel tick_kernel();

/// All blocks wait for each other, `times` times. If `late` is not null, each block first writes its arrival to `slots` (one
/// number per block), and then counts in `late` how often its neighbour had not arrived.
using SyncKernel = void (*)(std::int64_t times, unsigned long long* slots, unsigned long long* late);
/// For a cooperative launch.
SyncKernel grid_sync_kernel();
/// For a launch as one cluster.
SyncKernel cluster_sync_kernel();

}  // namespace ladder::ceilings
