#pragma once

#include <span>
#include <string>

#include "roofline/model/machine.hpp"

/// The roofline model: Williams, Waterman, Patterson, "Roofline: an insightful visual performance model for multicore
/// architectures", Communications of the ACM 52 (2009) 65, doi:10.1145/1498765.1498785.
namespace ladder {

/// residency() of a working set that fits in no cache.
constexpr int main_memory = 0;

/// Total bytes in the caches of `level` when `threads` threads, one per core, share the work; 0: all cores.
double capacity(std::span<const Cache> caches, int level, int threads = 0);

/// The cache level closest to the cores that holds all of `footprint_bytes`, or main_memory if none does. The slanted roof of a
/// program with this footprint is that level's bandwidth.
int residency(double footprint_bytes, std::span<const Cache> caches, int threads = 0);

/// `L2` for 2, `memory` for main_memory.
std::string residency_name(int level);

/// A bandwidth and a compute peak.
struct Roofline {
  double peak;       ///< floating-point operations per second
  double bandwidth;  ///< bytes per second of the memory level that holds the program's data
};

/// The roof that limits a program.
enum class Limit { bandwidth, arithmetic };

/// Operations per byte at which the two roofs meet.
double ridge(const Roofline& roofline);

/// Operations per second attainable at this intensity (operations per byte): min(intensity * bandwidth, peak).
double attainable(const Roofline& roofline, double intensity);

/// The roof that limits a program of this intensity; `bandwidth` at the ridge, where both do.
Limit limit(const Roofline& roofline, double intensity);

/// Updates per second attainable with `bytes` and `flops` per update: min(bandwidth / bytes, peak / flops).
double attainable_updates(const Roofline& roofline, double bytes, double flops);

}  // namespace ladder
