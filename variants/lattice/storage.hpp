#pragma once

#include "base/half.hpp"
#include "variants/lattice/lattice.hpp"

namespace lattice {

/// A lattice stores the population f of direction i as its distance from rest, relative to the density at rest: f / density -
/// rest(i), where rest(i) is part of the velocity set and the model gives the density. Near rest, a population is almost equal
/// to its weight; without the shift, most bits of a population would hold its weight, and rounding would change the mass in
/// every step. Kernels collide the distances themselves (collide.h).
///
/// How a lattice of `real` stores a distance. Kernels compute in `Compute`; they read a distance with load(stored) and write it
/// with store(distance). States are copied as double.
template <class real>
struct Storage {
  using Compute = real;

  template <class T = Compute>
  LBM_ANYWHERE static constexpr T load(real stored) {
    return static_cast<T>(stored);
  }
  template <class T>
  LBM_ANYWHERE static constexpr real store(T distance) {
    return static_cast<real>(distance);
  }
};

/// f16 stores 32768 times the distance. Each store rounds by at most 2^-11 of the distance. Because of the factor, distances
/// down to 2^-29 are normal numbers; a distance beyond 2 becomes infinite. M. Lehmann et al., "Accuracy and performance of the
/// lattice Boltzmann method with 64-bit, 32-bit, and customized 16-bit number formats", Phys. Rev. E 106 (2022) 015308: FP16S.
template <>
struct Storage<ladder::Half> {
  using Compute = float;
  static constexpr float scale = 32768;

  template <class T = Compute>
  LBM_ANYWHERE static T load(ladder::Half stored) {
    return static_cast<T>(ladder::to_float(stored)) * (1 / static_cast<T>(scale));
  }
  template <class T>
  LBM_ANYWHERE static ladder::Half store(T distance) {
    return ladder::to_half(static_cast<float>(distance * static_cast<T>(scale)));
  }
};

/// The type in which kernels on a lattice of `real` compute.
template <class real>
using Compute = typename Storage<real>::Compute;

}  // namespace lattice
