#pragma once

#include <cstdint>

#include "formats/uob_files.hpp"
#include "variants/d2q9/model.hpp"

namespace ladder {

/// The contents of the result files that a program must write for a case. Every timed run is compared with them, so this solver
/// is much faster than the reference: it takes one pass per step, in double precision, on all processors. Its own results are
/// compared with the reference's.
UobResults solve_uob(const d2q9::Case& c);

}  // namespace ladder
