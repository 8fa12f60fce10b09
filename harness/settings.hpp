#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/rung.hpp"

namespace ladder {

/// The tunables' initial values, overridden by settings `name=value`.
/// @throws InputError for an unknown name (with the nearest), a value that is not declared, or a constraint that is violated.
Tuning parse_tuning(const std::vector<Tunable>& tunables, const std::vector<std::string>& settings,
                    const std::vector<Constraint>& constraints = {});

/// The combinations of the tunables' values that fulfil all constraints.
struct LegalTunings {
  std::int64_t combinations = 1;
  std::vector<std::vector<int>> values;  ///< one list per tuning, in the order of the tunables; the last varies fastest
  std::vector<std::int64_t> refused;     ///< combinations that violate each constraint but none before it
};

/// @throws InputError if there are more than a million combinations
LegalTunings legal_tunings(const std::vector<Tunable>& tunables, const std::vector<Constraint>& constraints);

}  // namespace ladder
