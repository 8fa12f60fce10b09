#pragma once

#include "variants/d2q9r/model.hpp"

#if defined(__CUDACC__)
#define D2Q9R_INLINE __host__ __device__ __forceinline__
#else
#define D2Q9R_INLINE [[gnu::always_inline]] inline
#endif

/// Expands the six coefficients of a cell (collide.h) into the populations that leave it, and sums the populations that arrive
/// for the collision. `real` is float, double, or the counting type.
///
/// A population's factor, 36 times its weight, is the product of one factor per axis (collide.h). Each is applied where
/// populations are summed along its axis, as part of a multiply-add, so populations move without their factors.
namespace d2q9r {

/// Populations with the same c_y that leave a cell, or that arrive in one, divided by their factors; named by c_x.
template <class real>
struct Row {
  real west, rest, east;
};

/// The populations with c_y = `cy` that leave a cell with coefficients k. All constants are parts of multiply-adds.
template <int cy, class real>
D2Q9R_INLINE Row<real> leaving(const real* k) {
  const auto twelfth = static_cast<real>(1.0 / 12);
  if constexpr (cy == 0) {
    const real even = k[0] + k[3];
    return {even - twelfth * k[1], k[0], even + twelfth * k[1]};
  } else {
    const real even = k[0] + k[4];
    const real rest = cy > 0 ? even + twelfth * k[2] : even - twelfth * k[2];
    const real both = rest + k[3];
    const auto two = static_cast<real>(2), half = static_cast<real>(1.0 / 24);
    const real along = cy > 0 ? half * k[1] + k[5] : half * k[1] - k[5];
    return {both - two * along, rest, both + two * along};
  }
}

/// Sums over the populations of a Row times 1, c_x and c_x^2, with their factors along x.
template <class real>
struct RowSums {
  real all, x, xx;
};

template <class real>
D2Q9R_INLINE RowSums<real> sum(const Row<real>& row) {
  const real both = row.east + row.west;
  return {static_cast<real>(4) * row.rest + both, row.east - row.west, both};
}

/// Sums for a cell that lack only what moves south into it.
template <class real>
class Incomplete {
 public:
  /// Sets s[6] to the cell's sums, including what moves south into it.
  D2Q9R_INLINE void complete(const RowSums<real>& south, real* s) const {
    s[0] = cell_.all + south.all;
    s[1] = cell_.x + south.x;
    s[2] = from_south_.all - south.all;
    s[3] = cell_.xx + south.xx;
    s[4] = from_south_.all + south.all;
    s[5] = from_south_.x - south.x;
  }
  /// Starts another cell, with what moves along its row and what moved north into it.
  D2Q9R_INLINE void start(const RowSums<real>& level, const RowSums<real>& from_south) {
    const auto four = static_cast<real>(4);
    cell_ = {four * level.all + from_south.all, four * level.x + from_south.x, four * level.xx + from_south.xx};
    from_south_ = {from_south.all, from_south.x};
  }

 private:
  struct Northward {
    real all, x;
  };

  RowSums<real> cell_{};
  Northward from_south_{};  ///< the part of `cell_` that moved north
};

/// Sums for a column of cells, whose populations arrive row by row: for each row, call complete(), then keep().
template <class real>
class Arrivals {
 public:
  /// Completes the cell in row y - 1 with what moves south from row y, and sets s[6] to its sums.
  D2Q9R_INLINE void complete(const RowSums<real>& south, real* s) const { cell_.complete(south, s); }
  /// Keeps what moves along row y and what moves north from it.
  D2Q9R_INLINE void keep(const RowSums<real>& level, const RowSums<real>& north) {
    cell_.start(level, going_north_);
    going_north_ = north;
  }

 private:
  Incomplete<real> cell_;
  RowSums<real> going_north_{};
};

/// Relaxation with rate omega: the constants of d2q9r_collide().
template <class real>
struct Relaxation {
  real keep, gain;

  LBM_ANYWHERE explicit constexpr Relaxation(double omega)
      : keep(static_cast<real>((1 - omega) / 8)), gain(static_cast<real>(omega / 8)) {}

  /// Computes the coefficients of the populations that leave from the sums over those that arrive.
  D2Q9R_INLINE void operator()(const real* s, real* k) const { d2q9r_collide<real>(s, k, keep, gain); }
};

/// Sums s[6] over the populations f[q] that arrive in a cell, minus their weights (collide.h).
template <class real>
D2Q9R_INLINE void sum_populations(const real* f, real* s) {
  const real along_x = f[1] + f[3], along_y = f[2] + f[4];
  const real rising = f[5] + f[7], falling = f[6] + f[8];
  const real up = f[5] - f[7], down = f[8] - f[6];
  const real diagonals = rising + falling;
  s[3] = along_x + diagonals;
  s[4] = along_y + diagonals;
  s[0] = (f[0] + along_x) + s[4];
  s[1] = (f[1] - f[3]) + (up + down);
  s[2] = (f[2] - f[4]) + (up - down);
  s[5] = rising - falling;
}

/// The populations f[q] that leave a cell with coefficients k, minus their weights.
template <class real>
D2Q9R_INLINE void expand(const real* k, real* f) {
  const auto four = static_cast<real>(4);
  const Row<real> south = leaving<-1>(k), level = leaving<0>(k), north = leaving<1>(k);
  f[0] = static_cast<real>(16) * level.rest;
  f[1] = four * level.east;
  f[2] = four * north.rest;
  f[3] = four * level.west;
  f[4] = four * south.rest;
  f[5] = north.east;
  f[6] = north.west;
  f[7] = south.west;
  f[8] = south.east;
}

/// Regularized BGK on the populations of a cell, minus their weights.
template <class real>
D2Q9R_INLINE void collide_populations(real* f, const Relaxation<real>& relaxation) {
  real k[numbers];
  sum_populations(f, k);
  relaxation(k, k);
  expand(k, f);
}

/// Coefficients of the projection of the populations f[q] (collide.h).
D2Q9R_INLINE void project(const double* f, double* k) {
  double distances[q];
  for (int i = 0; i < q; ++i)
    distances[i] = f[i] - Lattice::weight(i);
  sum_populations(distances, k);
  const Relaxation<double> none(0);
  none(k, k);
}

/// The populations with coefficients k: the inverse of project().
D2Q9R_INLINE void populations_of(const double* k, double* f) {
  expand(k, f);
  for (int i = 0; i < q; ++i)
    f[i] += Lattice::weight(i);
}

}  // namespace d2q9r
