#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

namespace ladder {

/// `null` if the value is unknown.
inline nlohmann::ordered_json json_number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

}  // namespace ladder
