#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/ceilings/ceiling.hpp"

namespace ladder::ceilings {

/// The ceiling of this name. @throws InputError with the nearest name and all of them
const Kind& find_kind(std::string_view name);

/// What makes the ceiling of this name. @throws InputError with the nearest name and all that these make
const Maker& find_maker(std::string_view name, std::span<const Maker> makers);

/// The kinds of store that this ceiling is measured with; where it writes nothing, `plain` alone.
std::vector<Store> stores_of(const Kind& kind);

/// The store that `--set` asks for, the kind's last and fastest where it does not.
/// @throws InputError for a setting other than `store=…`, or a store that the ceiling has not
Store parse_store(const Kind& kind, const std::vector<std::string>& settings);

}  // namespace ladder::ceilings
