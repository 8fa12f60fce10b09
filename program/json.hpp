#pragma once

#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>

namespace ladder {

/// `null` if the value is unknown.
inline nlohmann::ordered_json json_number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

/// `null` for 0.
inline nlohmann::ordered_json json_count(std::size_t count) {
  return count == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(count);
}

}  // namespace ladder
