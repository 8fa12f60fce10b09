#pragma once

#include <cstdint>

#include "formats/uob_files.hpp"
#include "variants/d2q9/model.hpp"

namespace ladder {

/// The result files that a program must write for a case after its number of steps. Much faster than the reference, because
/// every timed run is compared with it: one pass per step, double precision, on all processors. It must itself agree with the
/// reference, whose results are the measure.
UobResults solve_uob(const d2q9::Case& c);

}  // namespace ladder
