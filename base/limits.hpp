#pragma once

#include <cstdint>

/// Largest numbers that command lines and studies accept. A larger number is a slip: its run would never end or not fit into
/// memory.
namespace ladder {

constexpr std::int64_t most_steps = 1'000'000'000'000'000;
constexpr std::int64_t most_samples = 1'000'000;  ///< limit of rounds, too
constexpr std::int64_t most_points = 10'000;      ///< moments of a run that are stored
constexpr std::int64_t most_boxes = 64;           ///< along an axis
constexpr double most_seconds = 1e6;              ///< of one sample, check or session

/// Limits of the working set of a ceiling, in bytes.
constexpr std::int64_t least_working_set = 8192;
constexpr std::int64_t most_working_set = std::int64_t{1} << 48;

/// Samples that should last at least so many seconds are measured with energy, and shorter samples have none: a counter's value
/// is up to 0.1 s old.
constexpr double least_energy_seconds = 1;
/// Longer samples have none, because a counter may have started from 0 more than once.
constexpr double most_energy_seconds = 300;
/// Length of a sample if energy is asked for: a sample may turn out shorter than was expected.
constexpr double energy_sample_seconds = 1.25;

}  // namespace ladder
