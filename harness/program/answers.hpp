#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What executables answer, read from their output. An executable may be anybody's: nothing is taken on trust.
namespace ladder {

/// Names of the number formats that a rung stores its lattice in, of its `describe`; none of a rung that is not built.
std::vector<std::string> numbers_of(const nlohmann::ordered_json& description);

/// The one that `asked` names or, where that is empty, the default one, or the rung's first where it lacks that.
/// @throws InputError for an unknown format, and for one that the rung does not accept
std::string number_for(const nlohmann::ordered_json& description, const std::string& asked);

/// Answer of `check`. A negative number is none.
struct CheckAnswer {
  bool ok = false;
  std::string reason;
  std::int64_t steps = -1;
  double population_error = -1;
  double tolerance = -1;
  double history_error = -1;
};

/// Answer of `measure`: the one sample in Google Benchmark's JSON. A negative number is none.
struct SampleAnswer {
  std::int64_t cells = 0;
  std::int64_t steps = 0;
  double seconds = 0;
  double footprint_bytes = -1;
  double bytes_per_update = -1;
  double flops_per_update = -1;
  double other_load = -1, steal = -1, involuntary_switches = -1, cpu_mhz = -1;
  double gpu_mhz = -1, gpu_celsius = -1, gpu_watts = -1;
  std::string affinity, pages, gpu_throttle;
};

/// Nothing where `text` is not such an answer, whole and in range.
std::optional<CheckAnswer> parse_check(std::string_view text);
std::optional<SampleAnswer> parse_sample(std::string_view text);

}  // namespace ladder
