#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace ladder {
namespace {

/// Levenshtein distance.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view to_string(Reason reason) {
  // In the order of the enumeration.
  constexpr std::array names = {"no-device", "no-memory", "too-large", "device-limit", "no-such-case", "constraint"};
  return names.at(static_cast<std::size_t>(reason));
}

std::string suggestion(std::string_view given, const std::vector<std::string>& candidates) {
  std::string nearest;
  for (const auto& candidate : candidates)
    if (!given.empty() && candidate.starts_with(given)) return " (did you mean '" + candidate + "'?)";
  std::size_t least = std::string_view::npos;
  for (const auto& candidate : candidates) {
    const auto d = distance(given, candidate);
    const bool alike = 2 * d <= std::max(given.size(), candidate.size());
    if (alike && d < least) {
      least = d;
      nearest = candidate;
    }
  }
  return nearest.empty() ? "" : " (did you mean '" + nearest + "'?)";
}

}  // namespace ladder
