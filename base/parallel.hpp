#pragma once

#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

/// Parallel loops for the harness's work on large lattices (the reference, comparing, copying). Rungs do not use them.
namespace ladder {

/// Number of processors that this thread may run on.
inline int processors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof(set), &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

/// Calls `f(first, last)` for consecutive parts of [0, n), each on a separate thread, and waits for all of them. Returns the
/// results in the order of the parts (nothing if `f` returns void). There is one part per processor, but no part is smaller
/// than `least`; a single part runs on the calling thread. `f` must not throw.
template <class F>
auto in_parts(std::int64_t n, std::int64_t least, F f) {
  using Result = std::invoke_result_t<F, std::int64_t, std::int64_t>;
  constexpr bool is_void = std::is_void_v<Result>;
  const std::int64_t parts = std::clamp<std::int64_t>(n / std::max<std::int64_t>(1, least), 1, processors());
  std::vector<std::conditional_t<is_void, char, Result>> results(static_cast<std::size_t>(parts));
  const auto work = [&](std::int64_t part) {
    const std::int64_t first = n * part / parts;
    const std::int64_t last = n * (part + 1) / parts;
    if constexpr (is_void) {
      f(first, last);
    } else {
      results[static_cast<std::size_t>(part)] = f(first, last);
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::int64_t part = 1; part < parts; ++part)
      threads.emplace_back(work, part);
    work(0);
  }
  if constexpr (!is_void) return results;
}

/// Smallest part, in elements, that justifies a thread.
constexpr std::int64_t worth_a_thread = 1 << 18;

}  // namespace ladder
