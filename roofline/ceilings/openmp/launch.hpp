#pragma once

#include <vector>

#include "roofline/ceilings/openmp/threads.hpp"

namespace ladder::ceilings {

/// A parallel region that only counts, once per sweep: measures the time to start all threads and wait for them.
class Launch final : public Ceiling {
 public:
  Launch() : Ceiling(1, 0), threads_(omp_get_max_threads()), counts_(static_cast<std::size_t>(threads_) * apart) {}

  void sweep(std::int64_t times) override {
    for (std::int64_t s = 0; s < times; ++s)
      on_each_thread(threads_, [this](int thread) { ++counts_[static_cast<std::size_t>(thread) * apart]; });
    sweeps_ += times;
  }

  std::string wrong() override {
    for (int thread = 0; thread < threads_; ++thread)
      if (const auto count = counts_[static_cast<std::size_t>(thread) * apart]; count != sweeps_)
        return fmt::format("thread {} took part in {} of {} launches", thread, count, sweeps_);
    return "";
  }

 private:
  static constexpr std::size_t apart =
      16;  ///< distance between the counts of two threads, so that they do not share a cache line

  int threads_;
  std::vector<std::int64_t> counts_;
  std::int64_t sweeps_ = 0;
};

}  // namespace ladder::ceilings
