#include "harness/run/device_hint.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/input_file.hpp"
#include "base/key_values.hpp"
#include "harness/record/outcome.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

/// Variables that choose a backend's drivers or devices. For OpenMP, GCC's runtime also reads those of OpenACC.
struct Choosers {
  std::string_view backend;
  std::vector<const char*> variables;
};
const Choosers choosers[] = {
    {"opencl", {"POCL_DEVICES", "OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "OPENCL_VENDOR_PATH"}},
    {"cuda", {"CUDA_VISIBLE_DEVICES"}},
    {"openacc", {"ACC_DEVICE_TYPE", "ACC_DEVICE_NUM", "CUDA_VISIBLE_DEVICES"}},
    {"openmp", {"OMP_NUM_THREADS", "OMP_STACKSIZE"}},
    {"target", {"OMP_DEFAULT_DEVICE", "OMP_TARGET_OFFLOAD", "ACC_DEVICE_TYPE", "ACC_DEVICE_NUM", "CUDA_VISIBLE_DEVICES"}}};

/// The folder where PoCL stores compiled kernels. If it cannot, it offers no devices.
fs::path pocl_cache() {
  for (const auto& [variable, below] :
       {std::pair{"POCL_CACHE_DIR", ""}, {"XDG_CACHE_HOME", "/pocl/kcache"}, {"HOME", "/.cache/pocl/kcache"}})
    if (const char* folder = std::getenv(variable); folder != nullptr && *folder != '\0') return std::string(folder) + below;
  return {};
}

/// What prevents a file of this size in the folder; 0 if nothing does.
int write_error(const fs::path& folder, off_t bytes) {
  std::error_code ignored;  // mkstemp() fails, too
  fs::create_directories(folder, ignored);
  std::string file = folder / "ladder-XXXXXX";
  const int descriptor = mkstemp(file.data());
  if (descriptor < 0) return errno;
  const int error = bytes > 0 ? posix_fallocate(descriptor, 0, bytes) : 0;
  close(descriptor);
  unlink(file.c_str());
  return error;
}

bool is_for_lack_of_room(int error) { return error == ENOSPC || error == EDQUOT || error == EFBIG; }

}  // namespace

std::string device_hint(std::string_view backend) {
  const auto uses = [&](std::string_view part) { return backend.find(part) != std::string_view::npos; };
  std::vector<std::string> hints;
  for (const auto& [part, variables] : choosers)
    for (const char* variable : variables)
      if (const char* value = std::getenv(variable); value != nullptr && uses(part))
        hints.push_back(fmt::format("{} is '{}'", variable, shown(value)));
  if (const fs::path cache = pocl_cache(); uses("opencl") && !cache.empty() && write_error(cache, 0) != 0)
    hints.push_back(fmt::format("PoCL cannot write to its cache {} (POCL_CACHE_DIR names another)", cache.string()));
  return fmt::format("{}", fmt::join(hints, ", "));
}

std::string lack_of_room(std::string_view backend, std::string_view text) {
  constexpr off_t enough_bytes = 16 << 20;  // PoCL writes a few megabytes for a program
  std::vector<std::pair<const char*, fs::path>> folders;
  std::error_code none;
  folders.emplace_back("TMPDIR", fs::temp_directory_path(none));
  if (backend.find("opencl") != std::string_view::npos) folders.emplace_back("POCL_CACHE_DIR", pocl_cache());
  for (const auto& [variable, folder] : folders) {
    const int error = folder.empty() ? 0 : write_error(folder, enough_bytes);
    if (is_for_lack_of_room(error))
      return fmt::format("{}: {}; accepted: {} names a folder with more space", folder.string(), std::strerror(error),
                         variable);
  }
  if (backend == foreign_backend) return "";  // an external program could print this to hide its failure
  for (const std::string_view line : split(text, '\n'))
    for (const int error : {ENOSPC, EDQUOT})  // its disk may have room again
      if (line.find(std::strerror(error)) != std::string_view::npos) return excerpt(line);
  return "";
}

std::string opencl_warning(const std::map<std::string, std::string>& devices, const std::vector<std::string>& gpus) {
  for (const auto& [backend, device] : devices) {
    const auto is_on = [&, &on = device](const std::string& gpu) { return on.find(gpu) != std::string::npos; };
    if (gpus.empty() || backend.find("opencl") == std::string::npos || std::ranges::any_of(gpus, is_on)) continue;
    const std::string hint = device_hint("opencl");
    return fmt::format(
        "warning: {} runs on {}, although this machine has a GPU, {}; OCL_ICD_VENDORS selects another OpenCL "
        "implementation{}\n",
        backend, device, gpus.front(), hint.empty() ? "" : " (" + hint + ")");
  }
  return "";
}

}  // namespace ladder
