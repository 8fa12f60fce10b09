#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/ceilings/ceiling.hpp"

namespace ladder::ceilings {

/// The ceiling of this name. @throws InputError with the nearest name and all of them
const Kind& find_kind(std::string_view name);

/// The maker of the ceiling of this name. @throws InputError with the nearest name and all accepted ones
const Maker& find_maker(std::string_view name, std::span<const Maker> makers);

/// The kinds of store that this ceiling is measured with; only `plain` if it writes nothing.
std::vector<Store> stores_of(const Kind& kind);

/// The store that `--set` names; by default the kind's last and fastest.
/// @throws InputError for a setting other than `store=…`, or a store that the ceiling does not have
Store parse_store(const Kind& kind, const std::vector<std::string>& settings);

}  // namespace ladder::ceilings
