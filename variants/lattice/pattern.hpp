#pragma once

#include "variants/lattice/lattice.hpp"

/// Streaming patterns: where a step reads the populations that arrive in a cell, and where it writes those that leave it. Some
/// patterns alternate between two phases. The population that phase p writes for direction i of cell x is read by the next
/// phase for direction i of cell x + c_i: read(p + 1, i) has the slot of write(p, i), and its offset minus c_i.
///
/// A state is always the one before a phase p: the population that left cell x in direction i in the previous step is where
/// read(p, i) of cell x + c_i reads it. Initial states, stored states and halos follow from this (places.hpp); no other code
/// depends on a rung's pattern.
namespace lattice {

/// A location in memory relative to a cell: the slot of a direction in the cell at distance `offset`.
struct Access {
  int slot = 0;
  Velocity offset;

  constexpr bool operator==(const Access&) const = default;
};

/// Two copies of the lattice: populations are fetched from the neighbours and written to their own slots.
struct Pull {
  static constexpr int phases = 1;
  static constexpr bool in_place = false;
  template <class L>
  LBM_ANYWHERE static constexpr Access read(int /*phase*/, int i) {
    return {i, -L::c(i)};
  }
  template <class L>
  LBM_ANYWHERE static constexpr Access write(int /*phase*/, int i) {
    return {i, {}};
  }
};

/// Two copies of the lattice: populations are read from their own slots and written to the neighbours.
struct Push {
  static constexpr int phases = 1;
  static constexpr bool in_place = false;
  template <class L>
  LBM_ANYWHERE static constexpr Access read(int /*phase*/, int i) {
    return {i, {}};
  }
  template <class L>
  LBM_ANYWHERE static constexpr Access write(int /*phase*/, int i) {
    return {i, L::c(i)};
  }
};

/// Two copies of the lattice: one step fetches from the neighbours and writes to them, the next one moves nothing.
struct PullPush {
  static constexpr int phases = 2;
  static constexpr bool in_place = false;
  template <class L>
  LBM_ANYWHERE static constexpr Access read(int phase, int i) {
    return phase == 0 ? Access{i, -L::c(i)} : Access{i, {}};
  }
  template <class L>
  LBM_ANYWHERE static constexpr Access write(int phase, int i) {
    return phase == 0 ? Access{i, L::c(i)} : Access{i, {}};
  }
};

/// A single copy of the lattice: one step fetches from the neighbours and writes to the locations that it read from, with
/// directions reversed; the next step moves nothing and reverses them again. Bailey et al., "Accelerating Lattice Boltzmann
/// Fluid Flow Simulations Using Graphics Processors", ICPP 2009.
struct AA {
  static constexpr int phases = 2;
  static constexpr bool in_place = true;
  template <class L>
  LBM_ANYWHERE static constexpr Access read(int phase, int i) {
    return phase == 0 ? Access{i, -L::c(i)} : Access{L::opposite(i), {}};
  }
  template <class L>
  LBM_ANYWHERE static constexpr Access write(int phase, int i) {
    return phase == 0 ? Access{L::opposite(i), L::c(i)} : Access{i, {}};
  }
};

/// A single copy of the lattice: for each pair of opposite directions, one is read and written in the cell, the other in the
/// neighbour that the first one points to; the slots of a pair swap in every step. M. Lehmann, "Esoteric Pull and Esoteric
/// Push", Computation 10 (2022) 92: Esoteric Pull.
struct Esoteric {
  static constexpr int phases = 2;
  static constexpr bool in_place = true;
  template <class L>
  LBM_ANYWHERE static constexpr Access read(int phase, int i) {
    const int slot = phase == 0 ? L::opposite(i) : i;
    return is_first<L>(i) ? Access{slot, {}} : Access{slot, L::c(L::opposite(i))};
  }
  template <class L>
  LBM_ANYWHERE static constexpr Access write(int phase, int i) {
    const int slot = phase == 0 ? i : L::opposite(i);
    return is_first<L>(i) ? Access{slot, L::c(i)} : Access{slot, {}};
  }

 private:
  template <class L>
  LBM_ANYWHERE static constexpr bool is_first(int i) {
    return i <= L::opposite(i);
  }
};

}  // namespace lattice
