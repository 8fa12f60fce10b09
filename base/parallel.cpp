#include "base/parallel.hpp"

#include <thread>

#include "base/affinity.hpp"

namespace ladder {

int processors() { return std::max(1, static_cast<int>(allowed_processors().size())); }

void detail::on_threads(std::int64_t parts, void (*call)(void* work, std::int64_t part), void* work) {
  std::vector<std::jthread> threads;
  for (std::int64_t part = 1; part < parts; ++part)
    threads.emplace_back(call, work, part);
  call(work, 0);
}

}  // namespace ladder
