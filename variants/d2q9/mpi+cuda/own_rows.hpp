#pragma once

#include "variants/d2q9/cuda/pass_solver.hpp"
#include "variants/d2q9/mpi+cuda/ring.hpp"

/// Passes over the own rows of a strip.
namespace d2q9 {

/// The own rows of a strip, and where those at its borders are also written.
template <class real>
struct OwnRows {
  int first, last;
  Borders<real> borders;
};

/// A lane's part of the own rows.
template <int width, class real>
__device__ Part<width> own_part(const Pass<real>& pass, const OwnRows<real>& own) {
  Part<width> part(pass);
  part.first += own.first;
  part.last = min(part.first + pass.rows, own.last + 1);
  return part;
}

/// `width`: columns per lane.
inline ladder::Tunable own_width_tunable() {
  return {.name = "width",
          .meaning = "columns per lane; 1 if the row length is not a multiple of it",
          .values = {1, 2},
          .initial = 2};
}

}  // namespace d2q9
