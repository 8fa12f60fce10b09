#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// GPU resources used per thread by a kernel that was compiled from directives.
struct OffloadedKernel {
  std::string name;
  int registers = 0;
  int stack_bytes = 0;
  int spilled_bytes = 0;  ///< stored in memory for lack of registers
};

/// The kernels that GCC embedded in an executable, as PTX for the driver to compile.
struct OffloadedKernels {
  std::vector<OffloadedKernel> kernels;
  std::string why_not;  ///< why kernels cannot be shown; also empty if the executable contains no PTX
};

/// Runs ptxas on these kernels for an architecture, e.g. `sm_90`. Looks for ptxas on PATH and in /usr/local/cuda/bin.
OffloadedKernels offloaded_kernels(const std::filesystem::path& executable, const std::string& architecture);

/// Parses the output of `ptxas -v`. Kernels keep their order; their names are shown without parameters.
std::vector<OffloadedKernel> parse_ptxas(std::string_view text);

}  // namespace ladder
