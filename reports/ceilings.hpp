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
  double bytes = 0;   ///< working set, from the case `ws-<bytes>`; on the chip the bytes touched; 0 if no bytes are moved

  /// Bytes per second; NaN for a limit that moves none.
  [[nodiscard]] double bandwidth() const;
  /// Operations per second; NaN for a limit that moves bytes.
  [[nodiscard]] double flops() const;
  /// Seconds from one event to the next; NaN for a limit that moves or computes anything.
  [[nodiscard]] double latency() const;
  /// Whether it is the limit of one level of the chip, whatever its working set: `l2-…` or `shared`.
  [[nodiscard]] bool is_on_chip() const;
};

/// Which ceiling to compare with. Empty strings match anything, so that the highest of all backends and stores is used, among
/// those on the same memory as the compared cell, if there are any.
struct CeilingQuery {
  std::string name;
  std::string precision;
  std::string backend;
  std::optional<std::int64_t> workers = {};  ///< threads of all processes; default: any number
};

/// A cell's share of a ceiling.
struct Fraction {
  Ratio ratio;
  Ceiling ceiling;
  bool in_cache = false;  ///< the ceiling's working set does not exceed the caches
  /// The largest ratio that the rung's traffic explains: more than 1 if it declares fewer bytes of DRAM per update than one
  /// step through memory moves.
  double most = 1;
};

/// The ceilings of one machine.
class Ceilings {
 public:
  /// Keeps pointers into `results`, which must outlive this object.
  explicit Ceilings(const Results& results);

  /// The latest measurement of each.
  [[nodiscard]] const std::vector<Ceiling>& all() const { return all_; }

  /// Whether a working set is too large for the caches to matter: 4 times the largest level, as STREAM's rules demand.
  [[nodiscard]] bool is_dram_sized(const Ceiling& ceiling) const;

  /// The highest matching ceiling of DRAM size, from the sessions of `peer` if these have one (peer may be nullptr). If none
  /// was measured at DRAM size in any session, those of the largest working set.
  [[nodiscard]] std::optional<Ceiling> dram(const CeilingQuery& query, const Cell* peer) const;

  /// The highest matching ceiling of the working set nearest to `bytes` (by ratio), of those that fit into the same level of
  /// the memory and differ from `bytes` by a factor of at most 1.5, or are of DRAM size like `bytes`; from the sessions of
  /// `peer` if these have one. None if no such ceiling was measured.
  [[nodiscard]] std::optional<Ceiling> nearest(const CeilingQuery& query, double bytes, const Cell* peer) const;

  /// Updates per second of `cell` over elements per second of a ceiling with the same pattern (copy-Q); of a cell on several
  /// devices over as many times those of a ceiling of one.
  [[nodiscard]] Fraction of_pattern(const Cell& cell, const Ceiling& ceiling) const;

  /// Bandwidth of `cell`, at its minimum traffic, over the bandwidth of a ceiling.
  [[nodiscard]] Fraction of_bandwidth(const Cell& cell, const Ceiling& ceiling) const;

 private:
  /// Each ceiling as measured in the sessions of `peer`, with any key; the latest measurement if there is none.
  [[nodiscard]] std::vector<Ceiling> matching(const CeilingQuery& query, const Cell* peer) const;
  [[nodiscard]] Fraction fraction(const Cell& cell, const Ceiling& ceiling, double scale) const;

  const Results* results_;
  std::vector<Ceiling> all_;
  std::vector<Ceiling> earlier_;
};

/// Whether a cell's rung declares fewer bytes of DRAM per update than one step through memory moves: each population read once
/// and written once. Such a rung may stand above the copy with its access pattern.
bool moves_less(const Cell& cell);

/// Name of the copy with a cell's access pattern: `copy-<Q>`; Q follows from the cell's minimum traffic.
std::string pattern_copy(const Cell& cell);

}  // namespace ladder::reports
