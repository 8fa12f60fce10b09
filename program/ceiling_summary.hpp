#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace ladder {

/// One of a machine's main limits in one session, next to the values of other sessions and to its nominal value.
struct CeilingSummary {
  enum class Quantity { bandwidth, operations, latency };

  std::string name;                        ///< `STREAM triad`, `best copy`, `read from L2`, `fma`, `launch`, …
  std::string ceiling = {};                ///< the one with this value, e.g. `copy-19`
  std::string case_name = {}, store = {};  ///< its size and kind of store, as in a row: `ws-65536`, `store=nt`
  std::string backend = {}, device = {}, precision = {}, placement = {};
  Quantity quantity = Quantity::bandwidth;
  double value = 0;  ///< median, in bytes or operations per second, or in seconds
  std::size_t samples = 0;
  std::size_t disturbed = 0;                                  ///< suspicious samples (docs/measuring.md)
  std::vector<double> stored = {};                            ///< values of other sessions
  double nominal = std::numeric_limits<double>::quiet_NaN();  ///< NaN if unknown

  [[nodiscard]] std::string unit() const;
  /// A value of this quantity with its unit, e.g. `3,352 GB/s`.
  [[nodiscard]] std::string text(double of) const;
  /// Performance relative to the median of other sessions: below 1 if it is slower; NaN if there are none.
  [[nodiscard]] double of_stored() const;
};

/// The main limits in a session of the study `ceilings`: for each backend, STREAM's triad, the fastest copy and the peak rate
/// of multiply-adds in each precision, the read bandwidth of each cache level, on-chip limits, and latencies. They are
/// compared with every session of all studies that measured the same ceiling, in name, size and kind of store, on the same
/// processor or GPU, and bandwidths of a GPU's memory with gpu_memory_bandwidth(). Studies with errors are left out. @throws
/// InputError if the rows of the session cannot be read
std::vector<CeilingSummary> summaries_of(const std::filesystem::path& experiments, const std::string& machine,
                                         const std::string& session);

/// A summary in words: whether the machine performs as it did in other sessions.
std::string delivery_text(const std::vector<CeilingSummary>& limits);

}  // namespace ladder
