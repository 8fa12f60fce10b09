#pragma once

#include <array>
#include <string_view>

#include "roofline/model/traffic.hpp"

namespace ladder::ceilings {

/// What each ceiling measures, and the cost per element. Every bandwidth and intensity is derived from this table. An element
/// that neither moves data nor computes is an event; its ceiling is a latency, in seconds per event when events run one after
/// another.
struct Kind {
  std::string_view name;
  std::string_view meaning;
  std::string_view unit;  ///< meaning of one element
  int read;               ///< values read per element
  int write;              ///< values written per element, excluding lines that a cache fetches before overwriting them
  int flops;              ///< floating-point operations per element
  bool on_chip = false;   ///< measures one memory level of the chip and chooses the working set itself

  /// Bytes moved per element, if a value has `real` bytes.
  [[nodiscard]] constexpr Traffic traffic(double real) const { return {read * real, write * real}; }

  /// Whether the size of its arrays must be given.
  [[nodiscard]] constexpr bool has_size() const { return read + write > 0 && !on_chip; }
};

/// STREAM as defined and counted by McCalpin (J. D. McCalpin, "Memory bandwidth and machine balance in current high performance
/// computers", IEEE TCCA Newsletter, December 1995). copy-Q reads Q arrays and writes Q arrays, like a lattice Boltzmann step.
/// A backend provides those that it can express.
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
