#pragma once

#include <omp.h>

#include <cstdint>

namespace lattice {

/// Consecutive rows, or planes, [first, last).
struct OwnRows {
  int first, last;

  struct Iterator {
    int row;
    int operator*() const { return row; }
    Iterator& operator++() { return ++row, *this; }
    bool operator!=(Iterator other) const { return row != other.row; }
  };
  [[nodiscard]] Iterator begin() const { return {first}; }
  [[nodiscard]] Iterator end() const { return {last}; }
};

/// Returns this OpenMP thread's share of `count` rows. Shares differ by at most one row.
inline OwnRows own_rows(std::int64_t count) {
  const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
  return {static_cast<int>(count * thread / threads), static_cast<int>(count * (thread + 1) / threads)};
}

}  // namespace lattice
