#pragma once

#include <string>
#include <string_view>

namespace ladder {

/// Names whatever in this process's environment may hide the devices of a backend that finds none, e.g. `POCL_DEVICES is
/// 'cuda'`; empty if nothing does. `backend`: may be a combination, e.g. `mpi+opencl`.
std::string device_hint(std::string_view backend);

}  // namespace ladder
