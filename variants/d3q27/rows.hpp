#pragma once

#include "backends/simd/vector.hpp"
#include "variants/d3q27/model.hpp"
#include "variants/lattice/processor.hpp"

namespace d3q27 {

/// Base of rungs that update a row of sites at a time. No site wraps along x: a row in memory has unused columns before its
/// first and after its last site, which repeat its other end while the row is updated.
///
/// Threads may update different rows of sites at once. The update of row y of plane z accesses one row in memory of each slot,
/// which no other update of the step accesses: of slot i the one at (y, z) - c_i in a step that fetches, the one at (y, z) in a
/// step that moves nothing, and the one at (y, z) in a lattice that is only written. Of the unused columns it accesses the one
/// before the row and those up to the first of the unused line after it; rows beside it have others.
template <class real, class Pattern = lattice::Pull>
class Rows : public lattice::ProcessorSolver<Model, real, lattice::AlignedApart, Pattern> {
  using Base = lattice::ProcessorSolver<Model, real, lattice::AlignedApart, Pattern>;

 protected:
  using Base::Base;
  using Base::case_, Base::layout_, Base::phase_;

  /// Where `populations`, f_ or g_, has what site 0 of row y of plane z accesses.
  LADDER_INLINE real* place(ladder::Array<real>& populations, lattice::Access a, int y, int z) const {
    return populations.data() +
           layout_(a.slot, a.offset.x, lattice::wrapped(y + a.offset.y, case_.ny), lattice::wrapped(z + a.offset.z, case_.nz));
  }

  /// Before a row is updated: if the step fetches, the column beyond an end gets the number of the other end.
  /// @param from [q], where population i of site 0 comes from
  LADDER_INLINE void extend(real* const* from) const {
    for (int i = 0; i < q && phase_ == 0; ++i) {
      if (d3q27_cx[i] > 0) from[i][0] = from[i][case_.nx];
      if (d3q27_cx[i] < 0) from[i][case_.nx - 1] = from[i][-1];
    }
  }

  /// After a row was updated in place: what was written beyond an end belongs at the other end.
  /// @param from [q], where population i of site 0 came from
  LADDER_INLINE void bring_back(real* const* from) const {
    for (int i = 0; i < q && phase_ == 0; ++i) {
      if (d3q27_cx[i] > 0) from[i][case_.nx] = from[i][0];
      if (d3q27_cx[i] < 0) from[i][-1] = from[i][case_.nx - 1];
    }
  }
};

}  // namespace d3q27
