#pragma once

#include <algorithm>

#include "roofline/ceilings/openmp/threads.hpp"

namespace ladder::ceilings {

/// Two lattices of Q arrays, [array][site]. Each sweep copies one lattice to the other, alternating the direction, like the
/// steps of a lattice Boltzmann code with two lattices. Array q goes to array q + 1 (mod Q), so that the contents show the
/// number of sweeps.
///
/// The arrays are copied in rows of 16 KB, one array after another; no faster way was found for 9 to 37 arrays. Copying site by
/// site (one line of each array in turn) is as fast with non-temporal stores, but up to a third slower with ordinary stores and
/// 37 arrays, because each sweep then has 74 streams open at once.
template <class T, Store store, int Q>
class CopyQ final : public Ceiling {
 public:
  explicit CopyQ(const Request& request) : CopyQ(request, omp_get_max_threads()) {}

  void sweep(std::int64_t times) override {
    on_each_thread(threads_, [=, this](int thread) {
      const Part mine = part(sites_, line<T>, thread, threads_);
      for (std::int64_t s = sweeps_; s < sweeps_ + times; ++s) {
        for (std::size_t i = mine.first; i < mine.last; i += row)
          copy_row(s, i, std::min(i + row, mine.last));
        between_sweeps();
      }
      stream_fence();
    });
    sweeps_ += times;
  }

  std::string wrong() override {
    for (const std::int64_t sweeps : {sweeps_, sweeps_ - 1}) {
      const auto from = [=](std::size_t q) { return (q + Q - static_cast<std::size_t>(sweeps) % Q) % Q; };
      const std::string difference = first_difference_of_parts<T>(
          threads_, Q, sites_,
          [&](std::size_t q, std::size_t i) { return static_cast<double>(array(sweeps, static_cast<int>(q))[i]); },
          [&](std::size_t q, std::size_t i) { return pattern(from(q) * sites_ + i); });
      if (!difference.empty()) return fmt::format("after {} sweeps {}", sweeps, difference);
    }
    return "";
  }

 private:
  static constexpr std::size_t row = (16 << 10) / sizeof(T);  ///< elements
  /// An L1 cache has about 64 sets of lines. Arrays that all start at the same set would evict each other; starting each one 17
  /// lines after the previous spreads them over all sets.
  static constexpr std::size_t sets = 64;
  static constexpr std::size_t shift = 17;

  CopyQ(const Request& request, int threads) : CopyQ(numbers_per_array(request, 2 * Q, line<T>, threads), threads) {}

  CopyQ(std::size_t sites, int threads)
      : Ceiling(static_cast<std::int64_t>(sites), static_cast<double>(2 * Q * sites * sizeof(T))),
        threads_(threads),
        sites_(sites),
        stride_(sites + (sets + shift - sites / line<T> % sets) % sets * line<T>) {
    for (auto& lattice : lattices_)
      lattice = Array<T>((Q + 1) * stride_ + sets * line<T>);
    on_each_thread(threads, [&](int thread) {
      const Part mine = part(sites, line<T>, thread, threads);
      for (std::size_t q = 0; q < Q; ++q)
        for (std::size_t i = mine.first; i < mine.last; ++i) {
          array(0, static_cast<int>(q))[i] = static_cast<T>(pattern(q * sites + i));
          array(1, static_cast<int>(q))[i] = std::numeric_limits<T>::quiet_NaN();
        }
    });
  }

  /// Array q of the lattice that holds the result after `sweeps` sweeps.
  T* array(std::int64_t sweeps, int q) {
    const std::size_t lattice = static_cast<std::size_t>(sweeps) % 2;
    return lattices_[lattice].data() + static_cast<std::size_t>(q) * stride_ + lattice * (Q * shift % sets) * line<T>;
  }

  [[gnu::always_inline]] void copy_row(std::int64_t sweeps, std::size_t first, std::size_t last) {
    for (int q = 0; q < Q; ++q) {
      const T* from = array(sweeps, q);
      T* to = array(sweeps + 1, (q + 1) % Q);
      for (std::size_t i = first; i < last; i += Vector<T>::size)
        put<store>(to + i, Vector<T>::load_aligned(from + i));
    }
  }

  int threads_;
  std::size_t sites_;
  std::size_t stride_;  ///< in elements, from one array to the next
  Array<T> lattices_[2];
  std::int64_t sweeps_ = 0;
};

}  // namespace ladder::ceilings
