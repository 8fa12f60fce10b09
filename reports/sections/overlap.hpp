#pragma once

#include <utility>
#include <vector>

namespace ladder::reports {

/// A number and the variance of its error; the variance is NaN if it is unknown.
struct Estimate {
  double value = 0;
  double variance = 0;
};

/// A straight line a + b x, fitted to points, and the variances of a and b.
struct Line {
  double a = 0, b = 0;
  double variance_a = 0, covariance = 0, variance_b = 0;  ///< NaN if two points or fewer were fitted

  [[nodiscard]] double operator()(double x) const { return a + b * x; }
  /// Variance of (or covariance of) a p.a + b p.b for two linear forms.
  [[nodiscard]] double spread(double pa, double pb) const {
    return pa * pa * variance_a + 2 * pa * pb * covariance + pb * pb * variance_b;
  }
};

/// The line of least squares of relative differences, with neither a nor b below 0. If all x are the same, a is 0. Points are
/// (x, y), all above 0. NaN without points.
Line fit_line(const std::vector<std::pair<double, double>>& points);

/// The time of a step on n processes, in seconds: max(T_a, T_b), where T_a is the work on the own cells and T_b the exchange of
/// halos with the work on the borders, which waits for it. Calore et al., section 5, has a work that is proportional to the
/// cells and to the sites at walls; here `work.a` is what a step costs whatever the lattice.
struct OverlapModel {
  Line work;  ///< T_a over the cells of a process
  Line edge;  ///< T_b over the sites of a border

  /// @param cells of the lattice
  /// @param sites of the line along which it is cut
  [[nodiscard]] double inside(double cells, double processes) const { return work(cells / processes); }
  [[nodiscard]] double seconds(double cells, double sites, double processes) const;
  /// Speed-up over one process.
  [[nodiscard]] Estimate speedup(double cells, double sites, double processes) const;
};

}  // namespace ladder::reports
