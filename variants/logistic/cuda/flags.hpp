#pragma once

#include <cstddef>
#include <vector>

#include "variants/logistic/cuda/solver.hpp"

/// Elements whose words are compared once and reduced to one byte, a flag.
namespace logistic {

inline constexpr unsigned per_thread = 4;            ///< elements
inline constexpr unsigned equal = 8, different = 1;  ///< possible values of a flag

/// The flags of a case's elements, four to a word.
inline std::vector<unsigned> flags_of(const Case& c) {
  const auto [a, b] = c.all_words();
  std::vector<unsigned> flags((a.size() + per_thread - 1) / per_thread);
  for (std::size_t n = 0; n < a.size(); ++n)
    flags[n / per_thread] |= (a[n] != b[n] ? different : equal) << 8 * (n % per_thread);
  return flags;
}

/// Traffic of kernels that read flags instead of words.
inline std::vector<ladder::Traffic> flagged_once_a_pass(double real, const Case& c, const ladder::Tuning&) {
  const auto steps = static_cast<double>(c.steps);
  return {{(real + 1) / steps, real / steps}};
}

/// Base of the rungs with `per_thread` elements per thread.
template <class real>
class FlaggedElements : public Elements<real> {
 protected:
  FlaggedElements(const Case& c, Shape block)
      : Elements<real>(c, block, per_thread), flags_(this->device_, (this->count() + per_thread - 1) / per_thread) {
    flags_.write(flags_of(c));
  }

  /// The flags of four elements per word: byte k of word n belongs to element 4 n + k.
  [[nodiscard]] const unsigned* flags() const { return flags_.data(); }

 private:
  Buffer<unsigned> flags_;
};

}  // namespace logistic
