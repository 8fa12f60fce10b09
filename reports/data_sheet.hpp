#pragma once

#include <string_view>

#include "harness/record/rows.hpp"

namespace ladder::reports {

/// Memory bandwidth from a device's data sheet, in bytes per second; NaN if the device is not listed. No copy reaches it, but
/// many authors report their bandwidths as fractions of it.
/// @param device name as the driver reports it
double data_sheet_bandwidth(std::string_view device);

/// Combined data-sheet bandwidth of a row's devices; NaN for rungs that ran on processors.
double data_sheet_bandwidth(const Row& row);

}  // namespace ladder::reports
