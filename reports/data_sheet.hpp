#pragma once

#include <string_view>

#include "harness/record/rows.hpp"

namespace ladder::reports {

/// Memory bandwidth in a device's data sheet, in bytes per second. NaN for a device that is not in our list. No program reaches
/// it, but many authors quote their rates relative to it.
/// @param device name as the driver reports it
double data_sheet_bandwidth(std::string_view device);

/// That of all devices of a row; NaN for a row of processors.
double data_sheet_bandwidth(const Row& row);

}  // namespace ladder::reports
