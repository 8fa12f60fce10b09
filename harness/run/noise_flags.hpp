#pragma once

#include <map>
#include <string>

#include "harness/record/rows.hpp"

namespace ladder {

/// Finds reasons to doubt a sample. The sample is kept, along with the reasons (docs/measuring.md).
class NoiseFlags {
 public:
  /// A sample is suspicious if other programs keep more processors busy than `accepted_load`, or the hypervisor takes more than
  /// `accepted_steal`. A sample on a GPU is not if both together leave it one processor more than it has threads.
  static constexpr double accepted_load = 0.25;
  static constexpr double accepted_steal = 0.05;
  /// A sample is suspicious if a quota stopped processes in more than this fraction of the scheduling periods. A few, and a
  /// single one, are tolerated, because just before and after a sample the harness may run more threads than the sample does.
  static constexpr double accepted_throttling = 0.1;
  /// A clock frequency below this fraction of the highest one seen on the device is suspicious.
  static constexpr double accepted_clock = 0.95;

  /// `processors`: number of processors that this program may use.
  explicit NoiseFlags(int processors = 1) : processors_(processors) {}

  /// Reasons, e.g. `load;steal`: `load`, `steal`, `unpinned` (a thread could move although the backend pins its threads),
  /// `threads` (fewer threads than `asked` did work), `quota` (`throttled`: see throttled_fraction()), `clock`, `throttle`;
  /// empty if there are none. Also records the clocks.
  std::string of(const Row& row, bool pins_threads, int asked = 0, double throttled = 0);

 private:
  int processors_;
  std::map<std::string, double> highest_;  // by device and kind of clock
};

}  // namespace ladder
