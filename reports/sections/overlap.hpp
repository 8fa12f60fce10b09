#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace ladder::reports {

/// A value and the variance of its error; the variance is NaN if unknown.
struct Estimate {
  double value = 0;
  double variance = 0;
};

/// A straight line a + b x fitted to points, with the variances of a and b.
struct Line {
  double a = 0, b = 0;
  double variance_a = 0, covariance = 0, variance_b = 0;  ///< NaN if two points or fewer were fitted

  [[nodiscard]] double operator()(double x) const { return a + b * x; }
  /// Variance (or covariance) of a p.a + b p.b for two linear forms.
  [[nodiscard]] double spread(double pa, double pb) const {
    return pa * pa * variance_a + 2 * pa * pb * covariance + pb * pb * variance_b;
  }
};

/// Fits a line by least squares of the relative differences, with a and b at least 0. If all x are the same or the line has no
/// constant, a is 0. Points are (x, y), with x and y above 0. NaN without points. The variances take into account that
/// `other_parameters` were fitted to the same points.
Line fit_line(const std::vector<std::pair<double, double>>& points, bool has_constant = true, int other_parameters = 0);

/// The time of a step on n processes, in seconds: max(T_a, T_b). T_a is the work on a process's own cells; T_b is the exchange
/// of halos plus the work on the borders, which waits for it. In Calore et al., section 5, neither has a constant: T_a is
/// proportional to the cells (and to the sites at walls, which here are cells of a strip), T_b to the sites of a border.
/// Processes on the same host also slow down each other's exchange; the publication's model does not include this.
struct OverlapModel {
  Line work;              ///< T_a over the cells of a process
  Line edge;              ///< T_b over the sites of a border, with at most two processes per host
  double contention = 0;  ///< relative increase in T_b with each process beyond the second on a host; 0 if unknown
  double per_host = 2;    ///< largest number of processes per host in the fit of `contention`; 2 if unknown
  double misfit = 0;  ///< mean square of the relative differences from measured steps, which adds to a prediction's variance

  /// @param cells of the lattice
  /// @param sites of the line at which it is cut
  [[nodiscard]] double inside(double cells, double processes) const { return work(cells / processes); }
  /// Factor by which contention increases T_b over its value on two processes.
  [[nodiscard]] double crowding(double processes) const {
    return 1 + contention * (std::max(2.0, std::min(processes, per_host)) - 2);
  }
  [[nodiscard]] double outside(double sites, double processes) const { return crowding(processes) * edge(sites); }
  [[nodiscard]] double seconds(double cells, double sites, double processes) const;
  /// Speed-up over one process.
  [[nodiscard]] Estimate speedup(double cells, double sites, double processes) const;
};

}  // namespace ladder::reports
