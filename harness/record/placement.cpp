#include "harness/record/placement.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "base/key_values.hpp"

namespace ladder {
namespace {

constexpr auto& fields = placement_fields;

constexpr int most = 1'000'000;
constexpr std::string_view accepted =
    "name=value joined by ';' with the names nodes, processes, threads and devices and integers from 1; "
    "threads also takes all, 1..8 and 1..all; or default";

[[noreturn]] void refuse(std::string_view text) {
  throw InputError(fmt::format("placement '{}': accepted is {}", text, accepted));
}

/// A positive integer, or 0 if `text` is not one.
int count_of(std::string_view text) {
  int value = 0;
  return read_number(text, value) && value >= 1 && value <= most ? value : 0;
}

/// The thread counts listed in `value`, where `all` becomes 0. Empty if `value` is invalid.
std::vector<int> threads_of(std::string_view value, int all) {
  if (value == "all") return {0};
  const auto dots = value.find("..");
  const int first = count_of(value.substr(0, dots));
  if (first == 0) return {};
  if (dots == std::string_view::npos) return {first};
  const bool is_to_all = value.substr(dots + 2) == "all";
  const int last = is_to_all ? all : count_of(value.substr(dots + 2));
  if (last == 0 || (!is_to_all && last < first)) return {};
  std::vector<int> counts;
  for (int count = first; count < last; count *= 2)
    counts.push_back(count);
  counts.push_back(is_to_all ? 0 : last);
  return counts;
}

}  // namespace

std::string to_string(const Placement& placement) {
  std::string text;
  for (const auto& [name, member] : fields)
    if (placement.*member != Placement{}.*member)
      text += fmt::format("{}{}={}", text.empty() ? "" : ";", name, placement.*member);
  return text;
}

std::vector<Placement> parse_placements(std::string_view text, int all) {
  std::array<bool, fields.size()> is_given{};
  Placement placement;
  std::vector<int> threads = {0};
  for (const std::string_view part : split(text == "default" ? "" : text, ';')) {
    const auto given = key_value(part);
    if (!given) refuse(text);
    const auto& [name, value] = *given;
    std::size_t i = 0;
    while (i < fields.size() && fields[i].name != name)
      ++i;
    if (i == fields.size() || std::exchange(is_given[i], true)) refuse(text);
    if (fields[i].member == &Placement::threads) {
      threads = threads_of(value, all);
      if (threads.empty()) refuse(text);
    } else {
      placement.*fields[i].member = count_of(value);
      if (placement.*fields[i].member == 0) refuse(text);
    }
  }
  if (placement.processes < placement.nodes)
    throw InputError(fmt::format("placement '{}': accepted is at least one process per node", text));
  std::vector<Placement> placements;
  for (const int count : threads) {
    placement.threads = count;
    placements.push_back(placement);
  }
  return placements;
}

Placement parse_placement(std::string_view text) {
  const auto placements = parse_placements(text);
  if (placements.size() != 1 || text.find("..") != std::string_view::npos)
    throw InputError(fmt::format("placement '{}': accepted is a single placement, without a range of threads", text));
  return placements.front();
}

}  // namespace ladder
