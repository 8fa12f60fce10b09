#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/ceilings/ceiling.hpp"

namespace ladder::ceilings {

/// Finds a ceiling by name. @throws InputError with the nearest name and a list of all names
const Kind& find_kind(std::string_view name);

/// Finds the maker of a ceiling by name. @throws InputError with the nearest name and a list of the accepted names
const Maker& find_maker(std::string_view name, std::span<const Maker> makers);

/// The kinds of store to measure this ceiling with; only `plain` if it writes nothing.
std::vector<Store> stores_of(const Kind& kind);

/// The store selected by `--set`; by default the kind's last store, which is the fastest.
/// @throws InputError for a setting other than `store=…`, or a store that the ceiling does not support
Store parse_store(const Kind& kind, const std::vector<std::string>& settings);

}  // namespace ladder::ceilings
