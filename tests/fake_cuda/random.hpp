#pragma once

#include <cstdlib>
#include <random>
#include <vector>

namespace fake_cuda {

/// An integer from an environment variable, e.g. FAKE_CUDA_SEED.
inline int number_of(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

/// A random integer in [0, count). FAKE_CUDA_SEED seeds the order of threads, blocks and streams.
inline std::size_t random_below(std::size_t count) {
  static std::minstd_rand generator(static_cast<unsigned>(number_of("FAKE_CUDA_SEED", 1)));
  return generator() % count;
}

/// Removes and returns a random element.
template <class T>
T take_one(std::vector<T>& values) {
  std::swap(values[random_below(values.size())], values.back());
  const T one = values.back();
  values.pop_back();
  return one;
}

}  // namespace fake_cuda
