#pragma once

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace ladder {

/// The number of parts, one per device, into which a process divides its work: `devices` of the placement, passed in the
/// environment variable LADDER_DEVICES; 1 if that is not set. @throws InputError if it is not a positive integer
inline int wanted_devices() {
  const char* const set = std::getenv("LADDER_DEVICES");
  if (set == nullptr) return 1;
  const std::string_view text = set;
  int devices = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), devices);
  if (error != std::errc{} || stop != text.data() + text.size() || devices < 1)
    throw InputError("LADDER_DEVICES is '" + std::string(text) + "'; accepted are whole numbers from 1");
  return devices;
}

}  // namespace ladder
