#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// Names whatever in this process's environment may hide the devices of a backend that finds none, e.g. `POCL_DEVICES is
/// 'cuda'`; empty if nothing does. `backend`: may be a combination, e.g. `mpi+opencl`.
std::string device_hint(std::string_view backend);

/// Which disk was too full for a program of this backend, and what is accepted; empty if there is room for temporary files and
/// PoCL's cache, and `text`, which the program printed, reports no full disk.
std::string lack_of_room(std::string_view backend, std::string_view text);

/// A warning if OpenCL uses none of this machine's GPUs; empty otherwise. `devices`: the device of each backend; `gpus`: the
/// names of the GPUs.
std::string opencl_warning(const std::map<std::string, std::string>& devices, const std::vector<std::string>& gpus);

}  // namespace ladder
