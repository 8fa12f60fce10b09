#pragma once

#include <algorithm>
#include <vector>

#include "roofline/ceilings/openmp/threads.hpp"

namespace ladder::ceilings {

/// Each thread repeatedly adds up a separate part of an array, which stays in whichever cache it fits in. Eight independent
/// sums hide the latency of the additions.
template <class T>
class Read final : public Ceiling {
 public:
  explicit Read(const Request& request) : Read(request, omp_get_max_threads()) {}

  void sweep(std::int64_t times) override {
    on_each_thread(threads_, [=, this](int thread) {
      const Part mine = part(size_, group, thread, threads_);
      sums_[static_cast<std::size_t>(thread) * apart] += sum_of(numbers_.data() + mine.first, mine.last - mine.first, times);
    });
    sweeps_ += times;
  }

  std::string wrong() override {
    for (int thread = 0; thread < threads_; ++thread) {
      const Part mine = part(size_, group, thread, threads_);
      double expected = 0;
      for (std::size_t i = mine.first; i < mine.last; ++i)
        expected += value(i);
      expected *= static_cast<double>(sweeps_);
      const double sum = sums_[static_cast<std::size_t>(thread) * apart];
      if (!(sum == expected)) return fmt::format("the sum of thread {} is {}, expected {}", thread, sum, expected);
    }
    return "";
  }

 private:
  static constexpr int chains = 8;
  static constexpr std::size_t group = std::size_t{chains} * Vector<T>::size;
  static constexpr std::size_t apart =
      16;  ///< distance between the sums of two threads in doubles, so that they do not share a cache line
  /// Sums of values up to 2 stay exact in single precision for 2^23 additions.
  static constexpr std::size_t exact = (std::size_t{1} << 22) * group;

  Read(const Request& request, int threads) : Read(numbers_per_array(request, 1, group, threads), threads) {}

  Read(std::size_t size, int threads)
      : Ceiling(static_cast<std::int64_t>(size), static_cast<double>(size * sizeof(T))),
        threads_(threads),
        size_(size),
        numbers_(size),
        sums_(static_cast<std::size_t>(threads) * apart) {
    on_each_thread(threads, [&](int thread) {
      const Part mine = part(size, group, thread, threads);
      for (std::size_t i = mine.first; i < mine.last; ++i)
        numbers_[i] = static_cast<T>(value(i));
    });
  }

  /// 1 or 2
  static double value(std::size_t i) { return pattern(i) < 1.5 ? 1 : 2; }

  /// `times` times the sum of `size` elements, computed in pieces that stay exact.
  static double sum_of(const T* p, std::size_t size, std::int64_t times) {
    double total = 0;
    for (std::int64_t s = 0; s < times;) {
      const auto repeats = std::clamp<std::int64_t>(static_cast<std::int64_t>(exact / size), 1, times - s);
      for (std::size_t first = 0; first < size; first += exact)
        total += sum_piece(p + first, std::min(exact, size - first), repeats);
      s += repeats;
    }
    return total;
  }

  static double sum_piece(const T* p, std::size_t size, std::int64_t repeats) {
    Vector<T> sums[chains];
    for (auto& one : sums)
      one = 0;
    for (std::int64_t r = 0; r < repeats; ++r) {
      for (std::size_t i = 0; i < size; i += group)
        for (int k = 0; k < chains; ++k)
          sums[k] += Vector<T>::load_aligned(p + i + k * Vector<T>::size);
      between_sweeps();
    }
    double total = 0;
    for (const auto& one : sums)
      for (int lane = 0; lane < Vector<T>::size; ++lane)
        total += static_cast<double>(one[lane]);
    return total;
  }

  int threads_;
  std::size_t size_;
  Array<T> numbers_;
  std::vector<double> sums_;
  std::int64_t sweeps_ = 0;
};

}  // namespace ladder::ceilings
