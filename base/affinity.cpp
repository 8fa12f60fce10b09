#include "base/affinity.hpp"

namespace ladder {

std::vector<int> allowed_processors(int (*read)(pid_t, std::size_t, cpu_set_t*)) {
  std::vector<int> numbers;
  // The kernel refuses sets that are too small for its processors.
  for (int most = 1024; most <= 1 << 20 && numbers.empty(); most *= 2) {
    cpu_set_t* const set = CPU_ALLOC(static_cast<std::size_t>(most));
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(most));
    if (read(0, bytes, set) == 0)
      for (int number = 0; number < most; ++number)
        if (CPU_ISSET_S(static_cast<std::size_t>(number), bytes, set)) numbers.push_back(number);
    CPU_FREE(set);
  }
  return numbers;
}

}  // namespace ladder
