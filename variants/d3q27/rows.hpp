#pragma once

#include "backends/simd/vector.hpp"
#include "variants/d3q27/model.hpp"
#include "variants/lattice/processor.hpp"

namespace d3q27 {

/// Base of rungs that update one row of sites at a time. No site wraps along x: a row in memory has unused columns before its
/// first and after its last site, which repeat its other end while the row is updated.
///
/// Threads may update different rows of sites concurrently. For each slot, the update of row y in plane z accesses one row in
/// memory that no other update of the step accesses: for slot i, the one at (y, z) - c_i in a step that fetches, and the one at
/// (y, z) in a step that moves nothing or in a lattice that is only written. Of the unused columns, it accesses the one before
/// the row, and those after the row up to the first one of the unused line; adjacent rows use different ones.
template <class real, class Pattern = lattice::Pull>
class Rows : public lattice::ProcessorSolver<Model, real, lattice::AlignedApart, Pattern> {
  using Base = lattice::ProcessorSolver<Model, real, lattice::AlignedApart, Pattern>;

 protected:
  using Base::Base;
  using Base::case_, Base::layout_, Base::phase_;

  /// Location in `populations`, either f_ or g_, that access `a` of site 0 in row y of plane z refers to.
  LADDER_INLINE real* place(ladder::Array<real>& populations, lattice::Access a, int y, int z) const {
    return populations.data() +
           layout_(a.slot, a.offset.x, lattice::wrapped(y + a.offset.y, case_.ny), lattice::wrapped(z + a.offset.z, case_.nz));
  }

  /// Call before a row is updated: if the step fetches, copies the value at each end to the column beyond the other end.
  /// @param from [q], source of population i of site 0
  LADDER_INLINE void extend(real* const* from) const {
    for (int i = 0; i < q && phase_ == 0; ++i) {
      if (d3q27_cx[i] > 0) from[i][0] = from[i][case_.nx];
      if (d3q27_cx[i] < 0) from[i][case_.nx - 1] = from[i][-1];
    }
  }

  /// Call after a row was updated in place: moves what was written beyond an end to the other end.
  /// @param from [q], source of population i of site 0
  LADDER_INLINE void bring_back(real* const* from) const {
    for (int i = 0; i < q && phase_ == 0; ++i) {
      if (d3q27_cx[i] > 0) from[i][case_.nx] = from[i][0];
      if (d3q27_cx[i] < 0) from[i][-1] = from[i][case_.nx - 1];
    }
  }
};

}  // namespace d3q27
