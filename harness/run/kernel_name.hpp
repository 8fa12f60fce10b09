#pragma once

#include <string>

namespace ladder {

/// A GPU kernel's readable name, without parameters or anonymous namespaces: turns `_ZN5d2q37…_omp_fn$0` into
/// `d2q37::update_rows<double>`. Unmangled symbols are returned unchanged.
std::string kernel_name(const std::string& symbol);

}  // namespace ladder
