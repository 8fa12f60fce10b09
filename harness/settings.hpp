#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/rung.hpp"

namespace ladder {

/// @throws InputError where `text` is neither f32 nor f64.
Precision parse_precision(std::string_view text);

/// The tunables' initial values, overridden by settings `name=value`.
/// @throws InputError for an unknown name (with the nearest) or a value that is not declared.
Tuning parse_tuning(const std::vector<Tunable>& tunables, const std::vector<std::string>& settings);

}  // namespace ladder
