#pragma once

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "backends/memory/array.hpp"
#include "backends/simd/vector.hpp"
#include "base/error.hpp"
#include "base/memory.hpp"
#include "roofline/ceilings/ceiling.hpp"
#include "roofline/ceilings/verify.hpp"

/// Divides arrays among threads: each thread works on the same part of every array, from first touch to the last sweep.
namespace ladder::ceilings {

/// Elements per cache line, the unit of work sharing: no two threads write to the same line.
template <class T>
constexpr std::size_t line = cache_line_bytes / sizeof(T);

/// Elements [first, last) of an array.
struct Part {
  std::size_t first, last;
};

/// The part of thread `thread` of `threads`, in whole groups of `group` elements. `size` must be a multiple of `group`.
inline Part part(std::size_t size, std::size_t group, int thread, int threads) {
  const std::size_t groups = size / group;
  const auto t = static_cast<std::size_t>(thread);
  const auto all = static_cast<std::size_t>(threads);
  return {groups * t / all * group, groups * (t + 1) / all * group};
}

/// Calls `work(thread)` on each of `threads` threads.
template <class Work>
void on_each_thread(int threads, Work work) {
#pragma omp parallel num_threads(threads)
  work(omp_get_thread_num());
}

/// Makes the compiler assume that memory changes between sweeps, which keeps it from merging sweeps.
[[gnu::always_inline]] inline void between_sweeps() { std::atomic_signal_fence(std::memory_order_seq_cst); }

/// Writes a vector with this kind of store.
template <Store store, class T>
[[gnu::always_inline]] inline void put(T* p, Vector<T> v) {
  if constexpr (store == Store::nt)
    stream(p, v);
  else
    v.store_aligned(p);
}

/// Elements per array, in whole groups of `group`, if `arrays` arrays together have the requested size.
/// @throws InputError if a thread would have no work, or there is not enough memory
inline std::size_t numbers_per_array(const Request& request, std::size_t arrays, std::size_t group, int threads) {
  require_memory(static_cast<double>(request.bytes), request.kind.name);
  const std::size_t group_bytes = arrays * request.real * group;
  const std::size_t groups = request.bytes / group_bytes;
  if (groups < static_cast<std::size_t>(threads))
    throw InputError(fmt::format("--bytes {}: {} needs at least {} bytes for each of {} threads", request.bytes,
                                 request.kind.name, group_bytes, threads));
  return groups * group;
}

/// first_difference() over `arrays` arrays of `size` elements; each thread compares the part it owns.
template <class T, class Actual, class Expected>
std::string first_difference_of_parts(int threads, std::size_t arrays, std::size_t size, Actual actual, Expected expected) {
  std::vector<std::string> found(static_cast<std::size_t>(threads));
  on_each_thread(threads, [&](int thread) {
    const Part mine = part(size, line<T>, thread, threads);
    std::string& difference = found[static_cast<std::size_t>(thread)];
    for (std::size_t array = 0; array < arrays && difference.empty(); ++array)
      difference = first_difference(array, mine.first, mine.last, actual, expected);
  });
  const auto one = std::find_if(found.begin(), found.end(), [](const std::string& text) { return !text.empty(); });
  return one == found.end() ? "" : *one;
}

}  // namespace ladder::ceilings
