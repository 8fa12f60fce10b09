#pragma once

#include <string>

namespace ladder {

/// A GPU kernel's name for people, without parameters and anonymous namespaces: turns `_ZN5d2q37…_omp_fn$0` into
/// `d2q37::update_rows<double>`. Symbols that are not mangled stay unchanged.
std::string kernel_name(const std::string& symbol);

}  // namespace ladder
