#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// What stands before the header of the kernel file in an executable.
#define LADDER_KERNEL_HEADER_MARK "@header of the kernel file@\n"

namespace ladder {

/// Bytes of an executable that hold the mark, the header and zeros. They are not part of the executable's hash.
inline constexpr std::size_t kernel_header_bytes = 4096;

/// The five lines that a kernel file starts with.
struct KernelHeader {
  std::string idea, layout, traffic, source, bound;
};

/// Reads the header of a kernel file: lines `// Key: text`, each continued by lines `//   text` with two blanks or more. It
/// ends at the first other line.
/// @throws InputError naming the line that is missing.
KernelHeader parse_kernel_header(std::string_view text);

}  // namespace ladder
