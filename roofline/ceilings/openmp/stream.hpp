#pragma once

#include "roofline/ceilings/openmp/threads.hpp"

/// STREAM's four kernels. Each writes one array from one or two others.
namespace ladder::ceilings {

struct Copy {
  static constexpr int sources = 1;
  template <class R>
  [[gnu::always_inline]] static R apply(R a, R) {
    return a;
  }
};

struct Scale {
  static constexpr int sources = 1;
  template <class R>
  [[gnu::always_inline]] static R apply(R c, R) {
    return R(3) * c;
  }
};

struct Add {
  static constexpr int sources = 2;
  template <class R>
  [[gnu::always_inline]] static R apply(R a, R b) {
    return a + b;
  }
};

struct Triad {
  static constexpr int sources = 2;
  template <class R>
  [[gnu::always_inline]] static R apply(R b, R c) {
    return b + R(3) * c;
  }
};

/// Runs one of the kernels above on `sources` source arrays and one result array of equal size.
template <class T, Store store, class Kernel>
class Stream final : public Ceiling {
 public:
  explicit Stream(const Request& request) : Stream(request, omp_get_max_threads()) {}

  void sweep(std::int64_t times) override {
    on_each_thread(threads_, [&](int thread) {
      sweep_part(sources_[0].data(), sources_[Kernel::sources - 1].data(), result_.data(),
                 part(size_, line<T>, thread, threads_), times);
    });
  }

  std::string wrong() override {
    return first_difference_of_parts<T>(
        threads_, 1, size_, [&](std::size_t, std::size_t i) { return static_cast<double>(result_[i]); },
        [&](std::size_t, std::size_t i) { return Kernel::apply(pattern(i), pattern(i + (Kernel::sources - 1) * size_)); });
  }

 private:
  Stream(const Request& request, int threads)
      : Stream(numbers_per_array(request, Kernel::sources + 1, line<T>, threads), threads) {}

  Stream(std::size_t size, int threads)
      : Ceiling(static_cast<std::int64_t>(size), static_cast<double>((Kernel::sources + 1) * size * sizeof(T))),
        threads_(threads),
        size_(size),
        result_(size) {
    for (auto& source : sources_)
      source = Array<T>(size);
    on_each_thread(threads, [&](int thread) {
      const Part mine = part(size, line<T>, thread, threads);
      for (int k = 0; k < Kernel::sources; ++k)
        for (std::size_t i = mine.first; i < mine.last; ++i)
          sources_[k][i] = static_cast<T>(pattern(i + static_cast<std::size_t>(k) * size));
      result_.poison(mine.first, mine.last);
    });
  }

  static void sweep_part(const T* a, const T* b, T* c, Part mine, std::int64_t times) {
    for (std::int64_t s = 0; s < times; ++s) {
      for (std::size_t i = mine.first; i < mine.last; i += Vector<T>::size)
        put<store>(c + i, Kernel::apply(Vector<T>::load_aligned(a + i), Vector<T>::load_aligned(b + i)));
      between_sweeps();
    }
    stream_fence();
  }

  int threads_;
  std::size_t size_;
  Array<T> sources_[Kernel::sources];
  Array<T> result_;
};

}  // namespace ladder::ceilings
