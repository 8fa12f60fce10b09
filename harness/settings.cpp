#include "harness/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "harness/error.hpp"

namespace ladder {

Precision parse_precision(std::string_view text) {
  if (text == "f32") return Precision::f32;
  if (text == "f64") return Precision::f64;
  throw InputError(fmt::format("precision '{}': accepted are f32 and f64", text));
}

Tuning parse_tuning(const std::vector<Tunable>& tunables, const std::vector<std::string>& settings) {
  Tuning tuning;
  std::vector<std::string> names;
  for (const Tunable& t : tunables) {
    tuning[t.name] = t.initial;
    names.push_back(t.name);
  }
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    const std::string name = setting.substr(0, equals);
    const auto tunable = std::find_if(tunables.begin(), tunables.end(), [&](const Tunable& t) { return t.name == name; });
    if (equals == std::string::npos) throw InputError(fmt::format("setting '{}': expected name=value", setting));
    if (tunable == tunables.end())
      throw InputError(fmt::format("unknown tunable '{}'{}; this rung has {}", name, suggestion(name, names),
                                   names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
    int value = 0;
    const char* end = setting.data() + setting.size();
    const auto [stop, error] = std::from_chars(setting.data() + equals + 1, end, value);
    if (error != std::errc{} || stop != end ||
        std::find(tunable->values.begin(), tunable->values.end(), value) == tunable->values.end())
      throw InputError(fmt::format("{}: '{}' is not a value of {}; accepted: {}", setting, setting.substr(equals + 1), name,
                                   fmt::join(tunable->values, ", ")));
    tuning[name] = value;
  }
  return tuning;
}

}  // namespace ladder
