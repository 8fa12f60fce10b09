#pragma once

#include "backends/simd/vector.hpp"

namespace ladder {

/// 0, 1, 2, …
template <class T>
LADDER_INLINE Vector<T> lane_numbers() {
  static constexpr T lanes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  return Vector<T>::load(lanes);
}

/// The vector at column x of a periodic row of `columns` numbers. The lane of column -1 takes the last number, that of column
/// `columns` the first; lanes beyond these hold whatever the memory holds.
template <class T>
LADDER_INLINE Vector<T> load_wrapped(const T* row, int x, int columns) {
  const Vector<T> lane = lane_numbers<T>();
  const Vector<T> east = select(lane == Vector<T>(columns - x), Vector<T>(row[0]), Vector<T>::load(row + x));
  return select(lane == Vector<T>(-1 - x), Vector<T>(row[columns - 1]), east);
}

/// The same, reading only lanes whose mask is true. Other threads may write the others at the same time.
template <class T>
LADDER_INLINE Vector<T> load_wrapped(const T* row, int x, int columns, Mask<T> mask) {
  const Vector<T> lane = lane_numbers<T>();
  const int beyond = columns - x;
  Vector<T> all = Vector<T>::load(row + x, mask & (lane >= Vector<T>(-x)) & (lane < Vector<T>(beyond)));
  if (x < 0 && mask[0]) all = select(lane == Vector<T>(0), Vector<T>(row[columns - 1]), all);
  if (beyond < Vector<T>::size && mask[beyond]) all = select(lane == Vector<T>(beyond), Vector<T>(row[0]), all);
  return all;
}

/// Writes the lanes whose mask is true to where load_wrapped() reads them.
template <class T>
LADDER_INLINE void store_wrapped(T* row, int x, int columns, Mask<T> mask, Vector<T> v) {
  const Vector<T> lane = lane_numbers<T>();
  const int beyond = columns - x;
  v.store(row + x, mask & (lane >= Vector<T>(-x)) & (lane < Vector<T>(beyond)));
  if (x < 0 && mask[0]) row[columns - 1] = v[0];
  if (beyond < Vector<T>::size && mask[beyond]) row[0] = v[beyond];
}

}  // namespace ladder
