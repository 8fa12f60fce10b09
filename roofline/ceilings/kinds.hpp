#pragma once

#include <array>
#include <string_view>

#include "roofline/model/traffic.hpp"

namespace ladder::ceilings {

/// The quantity that each ceiling measures, and the cost of one element. Every bandwidth and intensity is derived from this
/// table. An element that neither moves nor computes anything is an event, and its ceiling is a latency: seconds per event, one
/// after the other.
struct Kind {
  std::string_view name;
  std::string_view meaning;
  std::string_view unit;  ///< meaning of one element
  int read;               ///< numbers read per element
  int write;              ///< numbers written per element, without the lines that a cache fetches before overwriting them
  int flops;              ///< floating-point operations per element
  bool on_chip = false;   ///< of one level of the chip; chooses its own working set

  /// Bytes that an element moves, if a number has `real` bytes.
  [[nodiscard]] constexpr Traffic traffic(double real) const { return {read * real, write * real}; }

  /// Whether it needs the size of its arrays.
  [[nodiscard]] constexpr bool has_size() const { return read + write > 0 && !on_chip; }
};

/// STREAM as McCalpin defines and counts it (J. D. McCalpin, "Memory bandwidth and machine balance in current high performance
/// computers", IEEE TCCA Newsletter, December 1995); copy-Q: Q arrays read and Q written, as a lattice Boltzmann step does. A
/// backend has those that it can express.
inline constexpr std::array kinds = {
    Kind{"copy", "c[i] = a[i] (STREAM)", "element", 1, 1, 0},
    Kind{"scale", "b[i] = 3 c[i] (STREAM)", "element", 1, 1, 1},
    Kind{"add", "c[i] = a[i] + b[i] (STREAM)", "element", 2, 1, 1},
    Kind{"triad", "a[i] = b[i] + 3 c[i] (STREAM)", "element", 2, 1, 2},
    Kind{"copy-9", "9 arrays copied to 9 others and back, as D2Q9 streams", "site", 9, 9, 0},
    Kind{"copy-19", "19 arrays copied to 19 others and back, as D3Q19 streams", "site", 19, 19, 0},
    Kind{"copy-27", "27 arrays copied to 27 others and back, as D3Q27 streams", "site", 27, 27, 0},
    Kind{"copy-37", "37 arrays copied to 37 others and back, as D2Q37 streams", "site", 37, 37, 0},
    Kind{"read", "sum of an array, each thread its own part again and again: the bandwidth of the cache it fits in", "element",
         1, 0, 1},
    Kind{"fma", "independent chains of fused multiply-adds in registers: the arithmetic peak", "multiply-add", 0, 0, 2},
    Kind{"l2-read", "sum of an array in a quarter of the L2 cache, past L1", "element", 1, 0, 1, true},
    Kind{"l2-copy", "c[i] = a[i], both in a quarter of the L2 cache, past L1", "element", 1, 1, 0, true},
    Kind{"shared", "sum of numbers in shared (local) memory, each block its own", "element", 1, 0, 1, true},
    Kind{"launch", "an empty kernel or parallel region, one after the other", "launch", 0, 0, 0},
    Kind{"graph", "an empty kernel as a node of a CUDA graph, one after the other", "node", 0, 0, 0},
    Kind{"grid-sync", "all blocks of a kernel wait for each other, one block per multiprocessor", "synchronization", 0, 0, 0},
    Kind{"cluster-sync", "the 8 blocks of a cluster wait for each other", "synchronization", 0, 0, 0},
};

}  // namespace ladder::ceilings
