#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/provenance.hpp"

namespace ladder {

/// Names whatever in this process's environment may hide the devices of a backend that finds none, e.g. `POCL_DEVICES is
/// 'cuda'`; empty if nothing does. `backend`: may be a combination, e.g. `mpi+opencl`.
std::string device_hint(std::string_view backend);

/// A warning if OpenCL uses none of the GPUs that were found; empty otherwise. `devices`: the device of each backend.
std::string opencl_warning(const std::map<std::string, std::string>& devices, const std::vector<GpuFacts>& gpus);

}  // namespace ladder
