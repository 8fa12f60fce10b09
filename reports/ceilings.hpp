#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/results.hpp"

namespace ladder::reports {

/// One measured limit: name, backend, precision, working set and kind of store.
struct Ceiling {
  const Cell* cell = nullptr;
  std::string backend;
  std::string name;   ///< e.g. `triad`, `copy-9`
  std::string store;  ///< `nt`, `plain`, or empty
  double bytes = 0;   ///< working set, from the case `ws-<bytes>`; bytes touched for on-chip limits; 0 if no bytes are moved

  /// Bytes per second; NaN for a limit that moves no bytes.
  [[nodiscard]] double bandwidth() const;
  /// Operations per second; NaN for a limit that moves bytes.
  [[nodiscard]] double flops() const;
  /// Seconds from one event to the next; NaN for a limit that moves bytes or computes.
  [[nodiscard]] double latency() const;
  /// Whether it is the limit of one on-chip level, whatever its working set: `l2-…` or `shared`.
  [[nodiscard]] bool is_on_chip() const;
};

/// Selects the ceiling to compare with. Empty strings match anything, so the highest ceiling of all backends and stores is
/// used. Ceilings on the same memory as the compared cell are preferred.
struct CeilingQuery {
  std::string name;
  std::string precision;
  std::string backend;
  std::optional<std::int64_t> workers = {};  ///< threads of all processes; any number by default
};

/// A cell's share of a ceiling.
struct Fraction {
  Ratio ratio;
  Ceiling ceiling;
  /// The largest ratio that the rung's traffic explains: exceeds 1 if the rung declares fewer bytes of DRAM traffic per update
  /// than one step through memory moves.
  double most = 1;
};

/// The ceilings of one machine.
class Ceilings {
 public:
  /// Keeps pointers into `results`, which must outlive this object.
  explicit Ceilings(const Results& results);

  /// The latest measurement of each ceiling.
  [[nodiscard]] const std::vector<Ceiling>& all() const { return all_; }

  /// Whether a working set is too large for the caches to matter: at least 4 times the largest level, as STREAM's rules demand.
  [[nodiscard]] bool is_dram_sized(const Ceiling& ceiling) const;

  /// The highest matching ceiling of DRAM size, from the sessions of `peer` if they have one (`peer` may be null). If no
  /// session has one of DRAM size, the highest at the largest working set.
  [[nodiscard]] std::optional<Ceiling> dram(const CeilingQuery& query, const Cell* peer) const;

  /// The highest matching ceiling at the working set nearest to `bytes` (by ratio). It must fit into the same memory level as
  /// `bytes` and differ by a factor of at most 1.5, or be of DRAM size if `bytes` is. Sessions of `peer` are preferred. None if
  /// no such ceiling was measured.
  [[nodiscard]] std::optional<Ceiling> nearest(const CeilingQuery& query, double bytes, const Cell* peer) const;

  /// Updates per second of `cell` over elements per second of a ceiling with the same pattern (copy-Q). For a cell on several
  /// devices, the ceiling is multiplied by their number.
  [[nodiscard]] Fraction of_pattern(const Cell& cell, const Ceiling& ceiling) const;

  /// of_pattern() for the copy of the cell's pattern and precision at dram() size, or nearest() to the cell's memory footprint;
  /// none if there is no such copy.
  [[nodiscard]] std::optional<Fraction> of_dram_copy(const Cell& cell, const std::string& backend) const;
  [[nodiscard]] std::optional<Fraction> of_nearest_copy(const Cell& cell, const std::string& backend) const;

  /// Bandwidth of `cell`, at its minimum traffic, over the bandwidth of a ceiling.
  [[nodiscard]] Fraction of_bandwidth(const Cell& cell, const Ceiling& ceiling) const;

 private:
  /// Every ceiling, with any key, as measured in the sessions of `peer`; the latest measurement if they have none.
  [[nodiscard]] std::vector<Ceiling> matching(const CeilingQuery& query, const Cell* peer) const;
  [[nodiscard]] Fraction fraction(const Cell& cell, const Ceiling& ceiling, double scale) const;

  const Results* results_;
  std::vector<Ceiling> all_;
  std::vector<Ceiling> earlier_;
};

/// Whether a cell's rung declares fewer bytes of DRAM traffic per update than one step through memory moves, which reads and
/// writes each population once. Such rungs may exceed the copy with their access pattern.
bool moves_less(const Cell& cell);

/// Name of the copy with a cell's access pattern, `copy-<Q>`. Q follows from the cell's minimum traffic.
std::string pattern_copy(const Cell& cell);

}  // namespace ladder::reports
