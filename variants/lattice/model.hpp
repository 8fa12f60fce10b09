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

/// The part of a model's description that is the same for all models (docs/add-a-model.md). A model derives its own and adds
/// the rest.
template <class ItsCase, class ItsReference>
struct Model {
  using Case = ItsCase;
  using Reference = ItsReference;
  using Lattice = typename Case::Lattice;
  using Numbers = ladder::Stored<float, double>;
  static constexpr std::string_view name = Lattice::name;
  static constexpr int q = Lattice::q;

  /// The same case from its seeded state.
  static Case seeded(Case c) {
    c.is_seeded = true;
    return c;
  }
  /// Number of the model's `case_files` that must be given; the others may be missing.
  static constexpr std::size_t required_case_files = SIZE_MAX;
  /// Whether populations of solid cells are a part of the state; if not, they count as at rest.
  static constexpr bool solid_has_state = true;

  /// Whether steps of the case conserve the sum of all populations.
  static bool conserves(const Case&) { return true; }
  /// The plane of constant z that pictures show.
  static std::int64_t picture_plane(const Case&) { return 0; }
  /// The box of cells that series() takes its values from.
  static ladder::Box series_box(const Case& c) { return {{}, c.grid()}; }
  /// Cells over which a step of the case acts along an axis, at most.
  static int reach(const Case&) { return Lattice::reach; }
  /// The row on the wall at the bottom of a case whose walls turn populations round, -1: it has none (places.hpp).
  static int bottom_row(const Case&) { return -1; }
  /// lattice::part().
  static Case part(const Case& c, const ladder::Box& box) { return lattice::part(c, box); }

 protected:
  /// The floating-point operations of update(f) on the populations f of one cell, counted by running it.
  template <class Update>
  static ladder::Operations count(std::string form, Update update) {
    ladder::Counting f[q];
    for (int i = 0; i < q; ++i)
      f[i] = Lattice::weight(i);
    return ladder::count(std::move(form), [&] { update(f); });
  }
};

}  // namespace lattice
