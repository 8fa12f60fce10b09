#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// Where a cell of an experiment matrix runs.
struct Placement {
  int nodes = 1;
  int processes = 1;  ///< over all nodes, at least one per node
  int threads = 0;    ///< per process; 0: the backend's default, one per core
  int devices = 1;    ///< per process

  friend bool operator==(const Placement&, const Placement&) = default;
};

/// The names of its values, in the order of texts.
struct PlacementField {
  std::string_view name;
  int Placement::*member;
};
inline constexpr std::array placement_fields = {
    PlacementField{"nodes", &Placement::nodes}, PlacementField{"processes", &Placement::processes},
    PlacementField{"threads", &Placement::threads}, PlacementField{"devices", &Placement::devices}};

/// `nodes=2;processes=4;threads=8;devices=1` without default values, as used in keys and rows; empty for the default placement.
std::string to_string(const Placement& placement);

/// Expands `text` into placements. The text is empty or `default` for the default placement, or consists of `name=value` joined
/// by `;`, where the names are members of Placement and values are positive integers. `threads` may also be `all`, the default,
/// or a range such as `1..8` or `1..all`, which stands for its first number, doubled repeatedly while below the last, and the
/// last. `all` is the backend's default number of threads.
/// @throws InputError that lists what is accepted
std::vector<Placement> parse_placements(std::string_view text, int all = 1);

/// Like parse_placements(), for a text with exactly one placement. @throws InputError
Placement parse_placement(std::string_view text);

}  // namespace ladder
