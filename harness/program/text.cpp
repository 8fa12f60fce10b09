#include "harness/program/text.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>

#include "harness/error.hpp"

namespace ladder {

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

std::string duration_text(double seconds) {
  const auto whole = std::llround(seconds);
  if (whole < 60) return fmt::format("{}s", whole);
  if (whole < 3600) return fmt::format("{}m {:02}s", whole / 60, whole % 60);
  return fmt::format("{}h {:02}m", whole / 3600, whole / 60 % 60);
}

bool is_utf8(std::string_view text) try {
  (void)nlohmann::json(text).dump();  // throws if the text is not UTF-8
  return true;
} catch (const nlohmann::json::type_error&) {
  return false;
}

std::optional<double> parse_duration(std::string_view text) {
  double unit = 1;
  if (text.ends_with('s') || text.ends_with('m') || text.ends_with('h')) {
    unit = text.back() == 's' ? 1 : text.back() == 'm' ? 60 : 3600;
    text.remove_suffix(1);
  }
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  const double seconds = number * unit;
  if (!(seconds > 0) || seconds > 366 * 24 * 3600.0) return std::nullopt;
  return seconds;
}

}  // namespace ladder
