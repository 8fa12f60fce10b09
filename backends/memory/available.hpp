#pragma once

#include <string_view>

namespace ladder {

/// Bytes that this process may still allocate: the operating system's available memory, within the control group's limit.
double available_memory();

/// @throws InputError naming `what`, the bytes needed and the bytes available, if `bytes` exceed available_memory().
void require_memory(double bytes, std::string_view what);

}  // namespace ladder
