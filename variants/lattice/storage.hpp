#pragma once

#include "base/half.hpp"
#include "variants/lattice/lattice.hpp"

namespace lattice {

/// How a lattice of `real` stores a population whose direction has weight w. Kernels compute in `Compute`; they read a
/// population with load(stored, w) and write it with store(f, w). Both work in their argument's type, so that states are copied
/// in double.
template <class real>
struct Storage {
  using Compute = real;

  template <class T>
  LBM_ANYWHERE static constexpr T load(real stored, T /*weight*/) {
    return static_cast<T>(stored);
  }
  template <class T>
  LBM_ANYWHERE static constexpr real store(T f, T /*weight*/) {
    return static_cast<real>(f);
  }
};

/// f16 stores the scaled difference from the weight, 32768 (f - w). Near rest a population is almost equal to its weight;
/// without the shift, most of the 11 significant bits of binary16 would hold the weight. Each store rounds by at most 2^-11 of
/// the difference. Because of the factor, differences down to 2^-29 are normal numbers; a population beyond w + 2 becomes
/// infinite. M. Lehmann et al., "Accuracy and performance of the lattice Boltzmann method with 64-bit, 32-bit, and customized
/// 16-bit number formats", Phys. Rev. E 106 (2022) 015308: FP16S.
template <>
struct Storage<ladder::Half> {
  using Compute = float;
  static constexpr float scale = 32768;

  template <class T>
  LBM_ANYWHERE static T load(ladder::Half stored, T weight) {
    return static_cast<T>(ladder::to_float(stored)) * (1 / static_cast<T>(scale)) + weight;
  }
  template <class T>
  LBM_ANYWHERE static ladder::Half store(T f, T weight) {
    return ladder::to_half(static_cast<float>((f - weight) * static_cast<T>(scale)));
  }
};

/// The type in which kernels on a lattice of `real` compute.
template <class real>
using Compute = typename Storage<real>::Compute;

}  // namespace lattice
