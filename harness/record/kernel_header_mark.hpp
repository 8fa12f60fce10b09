#pragma once

#include <cstddef>

// Separate from kernel_header.hpp, so that compiling a header's text takes no time.

/// Precedes the kernel file's header in an executable.
#define LADDER_KERNEL_HEADER_MARK "@header of the kernel file@\n"

namespace ladder {

/// Size of the block of an executable that holds the mark, the header and zeros. The executable's hash excludes this block.
inline constexpr std::size_t kernel_header_bytes = 4096;

}  // namespace ladder
