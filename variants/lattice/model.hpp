#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "harness/bench/rung.hpp"
#include "roofline/model/counting.hpp"
#include "variants/lattice/case.hpp"
#include "variants/lattice/reference.hpp"

namespace lattice {

/// The part of a model's description that all models share (docs/add-a-model.md). A model derives from it and adds the rest.
template <class ItsCase, class ItsReference>
struct Model {
  using Case = ItsCase;
  using Reference = ItsReference;
  using Lattice = typename Case::Lattice;
  using Numbers = ladder::Stored<float, double>;
  static constexpr std::string_view name = Lattice::name;
  static constexpr int q = Lattice::q;

  /// Returns the same case, starting from its seeded state.
  static Case seeded(Case c) {
    c.is_seeded = true;
    return c;
  }
  /// How many of the model's `case_files` are required; the others are optional.
  static constexpr std::size_t required_case_files = SIZE_MAX;
  /// Whether populations of solid cells belong to the state; if not, they count as at rest.
  static constexpr bool solid_has_state = true;

  /// Returns the density of a fluid at rest.
  static double density(const Case&) { return 1; }
  /// Returns whether steps of the case conserve the sum of all populations.
  static bool conserves(const Case&) { return true; }
  /// Returns the plane of constant z shown in pictures.
  static std::int64_t picture_plane(const Case&) { return 0; }
  /// Returns the box of cells from which series() takes its values.
  static ladder::Box series_box(const Case& c) { return {{}, c.grid()}; }
  /// Returns the maximum number of cells along an axis over which a step of the case acts.
  static int reach(const Case&) { return Lattice::reach; }
  /// Returns the row on the bottom wall of a case whose walls turn populations around, or -1 if it has none (places.hpp).
  static int bottom_row(const Case&) { return -1; }
  using Parts = lattice::Parts<Case>;
  /// See lattice::part().
  static Case part(const Case& c, const ladder::Box& box) { return lattice::part(c, box); }

 protected:
  /// Returns the floating-point operations of update(f) on the populations f of one cell, counted by running it.
  template <class Update>
  static ladder::Operations count(std::string form, Update update) {
    ladder::Counting f[q];
    for (int i = 0; i < q; ++i)
      f[i] = Lattice::weight(i);
    return ladder::count(std::move(form), [&] { update(f); });
  }
};

}  // namespace lattice
