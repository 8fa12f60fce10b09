#pragma once

#include <utility>
#include <vector>

namespace ladder::reports {

/// Amdahl's law for the speed of n workers: 1 / (serial + parallel / n), in the units of the speeds that it was fitted to. It
/// also describes a memory that n workers saturate: 1 / serial is then its limit.
struct Amdahl {
  double serial = 0;    ///< time that workers do not shorten
  double parallel = 0;  ///< time of one worker that they share

  [[nodiscard]] double speed(double workers) const { return 1 / (serial + parallel / workers); }
  [[nodiscard]] double serial_share() const { return serial / (serial + parallel); }
};

/// The best-fitting law, by least squares of the relative differences of times, with neither part below 0; NaN if there are
/// fewer than three points. Points are numbers of workers with their speeds, all above 0.
Amdahl fit_amdahl(const std::vector<std::pair<double, double>>& points);

}  // namespace ladder::reports
