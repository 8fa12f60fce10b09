#pragma once

#include <utility>
#include <vector>

namespace ladder::reports {

/// Amdahl's law for the speed of n workers: 1 / (serial + parallel / n), in the units of the speeds that it was fitted to. It
/// also describes memory that n workers saturate: the limit is then 1 / serial.
struct Amdahl {
  double serial = 0;    ///< time that additional workers do not shorten
  double parallel = 0;  ///< time that one worker needs for the work that is shared

  [[nodiscard]] double speed(double workers) const { return 1 / (serial + parallel / workers); }
  [[nodiscard]] double serial_share() const { return serial / (serial + parallel); }
};

/// Fits the law by least squares of the relative differences of times, with both parts at least 0. NaN for fewer than three
/// points. Points are numbers of workers with their speeds, all above 0.
Amdahl fit_amdahl(const std::vector<std::pair<double, double>>& points);

}  // namespace ladder::reports
