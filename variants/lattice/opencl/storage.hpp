#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "backends/opencl/program.hpp"
#include "variants/lattice/storage.hpp"

namespace lattice::opencl {

/// Text of load_population() and store_population(), which do what Storage does.
extern const std::string_view storage_text;

/// The macros of programs on a lattice of `real`: `stored`, the type of its numbers, and `stored_is_half`, of storage_text.
template <class real>
ladder::opencl::Definitions storage_definitions() {
  return {{"stored", std::string(ladder::opencl::number_name<real>())},
          {"stored_is_half", std::is_same_v<real, ladder::Half> ? "1" : "0"}};
}

}  // namespace lattice::opencl
