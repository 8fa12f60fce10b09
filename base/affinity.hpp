#pragma once

#include <sched.h>

#include <cstddef>
#include <vector>

namespace ladder {

/// Numbers of the logical processors that this process may run on, ascending; empty if unknown. `read`:
/// sched_getaffinity(), or a stand-in for tests.
std::vector<int> allowed_processors(int (*read)(pid_t, std::size_t, cpu_set_t*) = sched_getaffinity);

}  // namespace ladder
