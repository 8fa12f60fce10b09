#pragma once

#include <vector>

#include "roofline/ceilings/openmp/threads.hpp"

namespace ladder::ceilings {

/// Chains of x <- m x + c in registers. Twelve chains keep two pipelines with a latency of five cycles busy and leave registers
/// for m and c, even if there are only 16. With m = -1, a chain alternates exactly between x and c - x.
template <class T>
class Fma final : public Ceiling {
 public:
  explicit Fma(const Request&) : Fma(omp_get_max_threads()) {}

  void sweep(std::int64_t times) override {
    on_each_thread(threads_, [=, this](int thread) {
      T* mine = numbers_.data() + static_cast<std::size_t>(thread) * numbers_a_thread;
      Vector<T> x[chains];
      for (int k = 0; k < chains; ++k)
        x[k] = Vector<T>::load_aligned(mine + k * Vector<T>::size);
      const Vector<T> m = factor_;
      const Vector<T> c = summand_;
      for (std::int64_t step = 0; step < times * steps_a_sweep; ++step)
        for (int k = 0; k < chains; ++k)
          x[k] = fma(x[k], m, c);
      for (int k = 0; k < chains; ++k)
        x[k].store_aligned(mine + k * Vector<T>::size);
    });
    sweeps_ += times;
  }

  std::string wrong() override {
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const T expected = sweeps_ % 2 == 0 ? start(i) : summand_ - start(i);
      if (!(numbers_[i] == expected))
        return fmt::format("number {} after {} sweeps is {}, expected {}", i, sweeps_, numbers_[i], expected);
    }
    return "";
  }

 private:
  static constexpr int chains = 12;
  static constexpr std::int64_t steps_a_sweep = 1001;  ///< odd, so that each sweep changes the values
  static constexpr std::size_t numbers_a_thread = std::size_t{chains} * Vector<T>::size;

  explicit Fma(int threads)
      : Ceiling(static_cast<std::int64_t>(numbers_a_thread) * steps_a_sweep * threads, 0),
        threads_(threads),
        numbers_(numbers_a_thread * static_cast<std::size_t>(threads)) {
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      numbers_[i] = start(i);
  }

  static T start(std::size_t i) { return static_cast<T>(i); }

  int threads_;
  Array<T> numbers_;  ///< values between sweeps, [thread][chain][lane]
  volatile T factor_ = -1;
  volatile T summand_ = 65536;
  std::int64_t sweeps_ = 0;
};

}  // namespace ladder::ceilings
