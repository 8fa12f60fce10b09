#include "base/parallel.hpp"

#include <sched.h>

#include <thread>

namespace ladder {

int processors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof(set), &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

void detail::on_threads(std::int64_t parts, void (*call)(void* work, std::int64_t part), void* work) {
  std::vector<std::jthread> threads;
  for (std::int64_t part = 1; part < parts; ++part)
    threads.emplace_back(call, work, part);
  call(work, 0);
}

}  // namespace ladder
