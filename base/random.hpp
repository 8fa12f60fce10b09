#pragma once

#include <cstdint>

namespace ladder {

/// A well-mixed 64-bit hash (the finalizer of splitmix64), identical on every machine.
inline std::uint64_t mixed(std::uint64_t v) {
  v += 0x9e3779b97f4a7c15u;
  v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9u;
  v = (v ^ (v >> 27)) * 0x94d049bb133111ebu;
  return v ^ (v >> 31);
}

/// A pseudorandom number in [0, 1) that depends only on `key`.
inline double uniform(std::uint64_t key) { return static_cast<double>(mixed(key) >> 11) * 0x1p-53; }

}  // namespace ladder
