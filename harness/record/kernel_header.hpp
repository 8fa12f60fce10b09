#pragma once

#include <string>
#include <string_view>

#include "harness/record/kernel_header_mark.hpp"

namespace ladder {

/// The five header lines of a kernel file.
struct KernelHeader {
  std::string idea, layout, traffic, source, bound;
};

/// Parses the header of a kernel file: lines `// Key: text`, which may be continued by lines `//   text` with at least two
/// blanks. It ends at the first line of any other form.
/// @throws InputError naming a missing line.
KernelHeader parse_kernel_header(std::string_view text);

}  // namespace ladder
