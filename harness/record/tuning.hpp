#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ladder {

/// Values of a rung's tunables, by name, e.g. {"wx": 32, "wy": 8}. Every declared tunable has a value.
using Tuning = std::map<std::string, int>;

/// One tunable parameter of a rung with its legal values. It reaches the kernel as a template argument or a `-D` definition.
struct Tunable {
  std::string name;
  std::string meaning;  ///< its meaning, with its unit
  std::vector<int> values;
  int initial = 0;  ///< the value used if the user names none
};

/// A condition on the values of several tunables.
struct Constraint {
  std::string text;  ///< for the user, in the tunables' names: `wx * wy <= 256`; a reason may follow in brackets
  std::function<bool(const Tuning&)> holds;
};

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
