#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "backends/opencl/program.hpp"
#include "variants/lattice/storage.hpp"

namespace lattice::opencl {

/// The source of load_distance() and store_distance(), which match lattice::Storage.
extern const std::string_view storage_text;

/// Returns the macros of programs on a lattice of `real`: `stored`, its element type, and `stored_is_half`, used by
/// storage_text.
template <class real>
ladder::opencl::Definitions storage_definitions() {
  return {{"stored", std::string(ladder::opencl::number_name<real>())},
          {"stored_is_half", std::is_same_v<real, ladder::Half> ? "1" : "0"}};
}

}  // namespace lattice::opencl
