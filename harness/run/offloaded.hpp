#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// What a kernel of the directives' compiler takes of a GPU, per thread.
struct OffloadedKernel {
  std::string name;
  int registers = 0;
  int stack_bytes = 0;
  int spilled_bytes = 0;  ///< stored in memory for want of registers
};

/// The kernels that GCC has stored in an executable, as PTX for the driver to compile.
struct OffloadedKernels {
  std::vector<OffloadedKernel> kernels;
  std::string why_not;  ///< why there are none to show; empty as well if the executable has no PTX
};

/// What ptxas says of them for an architecture, e.g. `sm_90`. Looks for ptxas on PATH and in /usr/local/cuda/bin.
OffloadedKernels offloaded_kernels(const std::filesystem::path& executable, const std::string& architecture);

/// Reads what `ptxas -v` prints. Kernels keep their order; their names lose the parameters.
std::vector<OffloadedKernel> parse_ptxas(std::string_view text);

}  // namespace ladder
