#pragma once

#include <cstdint>

/// Largest values that command lines and studies accept. A larger value is a typing error: the run would never end or not fit
/// into memory.
namespace ladder {

constexpr std::int64_t most_steps = 1'000'000'000'000'000;
constexpr std::int64_t most_samples = 1'000'000;  ///< also limits rounds
constexpr std::int64_t most_points = 10'000;      ///< recorded times of one run
constexpr std::int64_t most_boxes = 64;           ///< along an axis
constexpr double most_seconds = 1e6;              ///< of one sample, check or session

/// Limits of the working set of a ceiling, in bytes.
constexpr std::int64_t least_working_set = 8192;
constexpr std::int64_t most_working_set = std::int64_t{1} << 48;

/// Energy is measured only in samples expected to last at least this long, because a counter's value may be 0.1 s old.
constexpr double least_energy_seconds = 1;
/// Nor is it measured in longer samples, where a counter may have wrapped around more than once.
constexpr double most_energy_seconds = 300;
/// Target sample length when energy is requested; it leaves a margin for samples that turn out shorter than expected.
constexpr double energy_sample_seconds = 1.25;

}  // namespace ladder
