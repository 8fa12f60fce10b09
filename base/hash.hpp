#pragma once

#include <cstdint>
#include <string_view>

namespace ladder {

/// 64-bit FNV-1a, starting from `hash`.
constexpr std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash = 0xcbf29ce484222325u) {
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3u;
  }
  return hash;
}

}  // namespace ladder
