#pragma once

#include <vector>

namespace ladder {

/// Numbers of the logical processors that this process may run on, ascending; empty if unknown.
std::vector<int> allowed_processors();

}  // namespace ladder
