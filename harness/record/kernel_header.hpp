#pragma once

#include <string>
#include <string_view>

namespace ladder {

/// The five lines that a kernel file starts with.
struct KernelHeader {
  std::string idea, layout, traffic, source, bound;
};

/// Reads the header of a kernel file: lines `// Key: text`, each continued by lines `//   text` with two blanks or more. It
/// ends at the first other line.
/// @throws InputError naming the line that is missing.
KernelHeader parse_kernel_header(std::string_view text);

}  // namespace ladder
