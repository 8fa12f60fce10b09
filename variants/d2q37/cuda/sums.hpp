#pragma once

#include <utility>

#include "variants/d2q37/collide.h"

/// Rows that wait for populations. The populations that arrive in a cell from one row matter only through sums over c_x,
/// weighted by powers of c_x. These sums are added where they arrive as soon as their row has been expanded.
namespace d2q37 {

/// A number known at compile time.
template <int n>
struct Number {
  __host__ __device__ constexpr operator int() const { return n; }
};

/// Calls visit(Number) for 0 to n - 1.
template <int n, class Visit>
__device__ __forceinline__ void for_each_number(const Visit& visit) {
  [&]<int... k>(std::integer_sequence<int, k...>) { (visit(Number<k>{}), ...); }
  (std::make_integer_sequence<int, n>{});
}

/// c to the power of n, n >= 0.
__host__ __device__ constexpr int power(int c, int n) { return n == 0 ? 1 : c * power(c, n - 1); }

/// factor * value, without multiplying by 1 or -1.
template <int factor, class real>
__device__ __forceinline__ real times(real value) {
  if constexpr (factor == 1)
    return value;
  else if constexpr (factor == -1)
    return -value;
  else
    return static_cast<real>(factor) * value;
}

/// A velocity as a type: its index is known at compile time.
template <int cx, int cy>
struct Velocity {
  static constexpr int x = cx, y = cy;
  static constexpr int index = [] {
    int i = 0;
    while (d2q37_cx[i] != cx || d2q37_cy[i] != cy)
      ++i;
    return i;
  }();
};

/// Degrees in x and y of the moments in collide.h.
struct Degree {
  int x, y;
};
__host__ __device__ constexpr Degree degree(int moment) {
  int total = 0;
  while (moment > total)
    moment -= ++total;
  return {total - moment, moment};
}

/// Number of distinct sums of the populations with a given c_y: one for each power 0 to 4 of c_x, or 0 to 2 if |c_x| <= 1,
/// because higher powers repeat these.
__host__ __device__ constexpr int sums_of(int cy) { return cy == 3 || cy == -3 ? 3 : 5; }
/// Index of the sum with this power of c_x among them.
__host__ __device__ constexpr int sum_index(int cy, int power) { return power < sums_of(cy) ? power : 2 - power % 2; }

/// Sums of powers of c_x times f(Velocity) over the populations with this c_y.
template <int cy, class real, class Arriving>
__device__ __forceinline__ void sum_row(const Arriving& f, real* sums) {
  const real still = f(Velocity<0, cy>{}), east = f(Velocity<1, cy>{}), west = f(Velocity<-1, cy>{});
  const real even = east + west, odd = east - west;
  sums[0] = still + even, sums[1] = odd, sums[2] = even;
  if constexpr (sums_of(cy) == 5) {
    const real east2 = f(Velocity<2, cy>{}), west2 = f(Velocity<-2, cy>{});
    const real even2 = east2 + west2, odd2 = east2 - west2;
    sums[0] = sums[0] + even2, sums[1] = odd + 2 * odd2, sums[2] = even + 4 * even2, sums[3] = odd + 8 * odd2;
    sums[4] = even + 16 * even2;
    if constexpr (cy * cy <= 1) {
      const real east3 = f(Velocity<3, cy>{}), west3 = f(Velocity<-3, cy>{});
      const real even3 = east3 + west3, odd3 = east3 - west3;
      sums[0] = sums[0] + even3, sums[1] = sums[1] + 3 * odd3, sums[2] = sums[2] + 9 * even3;
      sums[3] = sums[3] + 27 * odd3, sums[4] = sums[4] + 81 * even3;
    }
  }
}

/// The waiting sums of one column. Once row y has been expanded, the cells of rows y - 2 to y + 3 wait for the populations of
/// later rows. Cells of rows y + 1 to y + 3 have received few populations, so only the sums for each c_y are kept; for cells of
/// rows y - 2 to y, moments are kept.
template <class real>
class WaitingRows {
 public:
  /// Adds the populations f(Velocity) that leave row y and arrive in this column. Completes the cell of row y - 3 and writes
  /// its moments to m, without the lower-order terms of the Hermite polynomials.
  template <class Arriving>
  __device__ __forceinline__ void add(const Arriving& f, real* m) {
    real sums[5], two[5], three[5];
    sum_row<-3>(f, sums);
    for_each_number<D2Q37_M>([&](auto k) { m[k] = added<-3, k>(rows_[2][k], sums); });
    sum_row<-2>(f, sums);
    for_each_number<D2Q37_M>([&](auto k) { rows_[2][k] = added<-2, k>(rows_[1][k], sums); });
    sum_row<-1>(f, sums);
    for_each_number<D2Q37_M>([&](auto k) { rows_[1][k] = added<-1, k>(rows_[0][k], sums); });
    sum_row<0>(f, sums);
    for_each_number<D2Q37_M>([&](auto k) {
      const real sum = added<2, k>(added<3, k>(one_[0][sum_index(1, degree(k).x)], one_[2]), one_[1]);
      rows_[0][k] = degree(k).y == 0 ? sum + sums[degree(k).x] : sum;
    });
    sum_row<1>(f, one_[0]);
    sum_row<2>(f, two);
    sum_row<3>(f, three);
    for_each_number<5>([&](auto n) {
      one_[1][n] = two_[0][n], two_[0][n] = two[n];
      if constexpr (n < 3) one_[2][n] = two_[1][n], two_[1][n] = three_[n], three_[n] = three[n];
    });
  }

 private:
  /// Returns `value` plus moment k of the populations that move by c_y.
  template <int cy, int k>
  static __device__ __forceinline__ real added(real value, const real* sums) {
    return value + times<power(cy, degree(k).y)>(sums[sum_index(cy, degree(k).x)]);
  }

  real three_[3] = {};          // of the cell in row y + 3: sums of c_y = 3
  real two_[2][5] = {};         // y + 2: c_y = 2, 3
  real one_[3][5] = {};         // y + 1: c_y = 1, 2, 3
  real rows_[3][D2Q37_M] = {};  // y, y - 1, y - 2
};

/// Adds the lower-order terms of the Hermite polynomials to moments that lack them.
LBM_FUNCTION void complete_moments(real* m) {
  const real s = static_cast<real>(D2Q37_S), s3 = static_cast<real>(3 * D2Q37_S);
  m[10] = m[10] - 2 * s3 * m[3] + s * s3 * m[0];
  m[14] = m[14] - 2 * s3 * m[5] + s * s3 * m[0];
  m[12] = m[12] - s * (m[3] + m[5]) + s * s * m[0];
  m[11] = m[11] - s3 * m[4];
  m[13] = m[13] - s3 * m[4];
  m[6] = m[6] - s3 * m[1];
  m[8] = m[8] - s * m[1];
  m[7] = m[7] - s * m[2];
  m[9] = m[9] - s3 * m[2];
  m[3] = m[3] - s * m[0];
  m[5] = m[5] - s * m[0];
}

/// Reverses the populations that have the moments m: each direction gets the population of the opposite one.
LBM_FUNCTION void reverse(real* m) { m[1] = -m[1], m[2] = -m[2], m[6] = -m[6], m[7] = -m[7], m[8] = -m[8], m[9] = -m[9]; }

}  // namespace d2q37
