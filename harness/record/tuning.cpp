#include "harness/record/tuning.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/key_values.hpp"

namespace ladder {
namespace {

std::vector<Constraint>::const_iterator first_violated(const std::vector<Constraint>& constraints, const Tuning& tuning) {
  return std::find_if(constraints.begin(), constraints.end(), [&](const Constraint& c) { return !c.holds(tuning); });
}

}  // namespace

Tuning parse_tuning(const std::vector<Tunable>& tunables, const std::vector<std::string>& settings,
                    const std::vector<Constraint>& constraints) {
  Tuning tuning;
  std::vector<std::string> names;
  for (const Tunable& t : tunables) {
    tuning[t.name] = t.initial;
    names.push_back(t.name);
  }
  for (const std::string& setting : settings) {
    const auto given = key_value(setting);
    if (!given) throw InputError(fmt::format("setting '{}': expected name=value", setting));
    const std::string name(given->key);
    const auto tunable = std::find_if(tunables.begin(), tunables.end(), [&](const Tunable& t) { return t.name == name; });
    if (tunable == tunables.end())
      throw InputError(fmt::format("unknown tunable '{}'{}; this rung has {}", name, suggestion(name, names),
                                   names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
    int value = 0;
    if (!read_number(given->value, value) ||
        std::find(tunable->values.begin(), tunable->values.end(), value) == tunable->values.end())
      throw InputError(fmt::format("{}: '{}' is not a value of {}; accepted: {}", setting, given->value, name,
                                   fmt::join(tunable->values, ", ")));
    tuning[name] = value;
  }
  if (const auto violated = first_violated(constraints, tuning); violated != constraints.end()) {
    std::vector<std::string> values;
    for (const auto& [name, value] : tuning)
      values.push_back(fmt::format("{}={}", name, value));
    throw Refused(Reason::constraint,
                  fmt::format("{}: not legal together; accepted: {}", fmt::join(values, ";"), violated->text));
  }
  return tuning;
}

LegalTunings legal_tunings(const std::vector<Tunable>& tunables, const std::vector<Constraint>& constraints) {
  constexpr std::int64_t most = 1'000'000;
  LegalTunings legal;
  for (const Tunable& t : tunables) {
    legal.combinations *= static_cast<std::int64_t>(t.values.size());
    if (legal.combinations > most) throw InputError(fmt::format("the tunables have more than {} combinations", most));
  }
  legal.refused.resize(constraints.size());
  for (std::int64_t i = 0; i < legal.combinations; ++i) {
    std::vector<int> values(tunables.size());
    Tuning tuning;
    std::int64_t rest = i;
    for (std::size_t t = tunables.size(); t-- > 0;) {
      const auto count = static_cast<std::int64_t>(tunables[t].values.size());
      values[t] = tunables[t].values[static_cast<std::size_t>(rest % count)];
      tuning[tunables[t].name] = values[t];
      rest /= count;
    }
    const auto violated = first_violated(constraints, tuning);
    if (violated == constraints.end())
      legal.values.push_back(std::move(values));
    else
      ++legal.refused[static_cast<std::size_t>(violated - constraints.begin())];
  }
  return legal;
}

}  // namespace ladder
