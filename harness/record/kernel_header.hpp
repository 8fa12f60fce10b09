#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Precedes the kernel file's header in an executable.
#define LADDER_KERNEL_HEADER_MARK "@header of the kernel file@\n"

namespace ladder {

/// Size of the block of an executable that holds the mark, the header and zeros. The executable's hash excludes this block.
inline constexpr std::size_t kernel_header_bytes = 4096;

/// The five header lines of a kernel file.
struct KernelHeader {
  std::string idea, layout, traffic, source, bound;
};

/// Parses the header of a kernel file: lines `// Key: text`, which may be continued by lines `//   text` with at least two
/// blanks. It ends at the first line of any other form.
/// @throws InputError naming a missing line.
KernelHeader parse_kernel_header(std::string_view text);

}  // namespace ladder
