#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ladder {

/// Values of a rung's tunables by name, e.g. {"wx": 32, "wy": 8}. Every declared tunable has a value.
using Tuning = std::map<std::string, int>;

/// A tunable parameter of a rung with its legal values, passed to the kernel as a template argument or a `-D` definition.
struct Tunable {
  std::string name;
  std::string meaning;  ///< meaning and unit
  std::vector<int> values;
  int initial = 0;  ///< default value
};

/// A condition on a combination of tunable values.
struct Constraint {
  std::string text;  ///< shown to users, in terms of the tunables: `wx * wy <= 256`; a reason may follow in brackets
  std::function<bool(const Tuning&)> holds;
};

/// The tunables' default values, overridden by settings `name=value`.
/// @throws InputError for an unknown name (suggesting the nearest), an undeclared value, or a violated constraint
Tuning parse_tuning(const std::vector<Tunable>& tunables, const std::vector<std::string>& settings,
                    const std::vector<Constraint>& constraints = {});

/// The combinations of tunable values that satisfy all constraints.
struct LegalTunings {
  std::int64_t combinations = 1;
  std::vector<std::vector<int>> values;  ///< one list per tuning, in the order of the tunables; the last varies fastest
  std::vector<std::int64_t> refused;  ///< for each constraint, the combinations that violate it but none of the previous ones
};

/// @throws InputError if there are more than a million combinations
LegalTunings legal_tunings(const std::vector<Tunable>& tunables, const std::vector<Constraint>& constraints);

}  // namespace ladder
