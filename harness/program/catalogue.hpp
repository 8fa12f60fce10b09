#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/program/process.hpp"

namespace ladder {

/// One built executable that speaks the project's command line (docs/architecture.md), and how it describes itself.
struct Executable {
  std::filesystem::path path;
  std::string id;     ///< rung id, or `ceiling/<backend>`
  std::string build;  ///< `default` or a tag of the flags axis
  std::string backend;
  nlohmann::ordered_json description;
};

/// Whether a backend can run here.
struct Availability {
  bool available = false;
  std::string reason;
  std::string device;
  std::string driver;
  int threads = 0;
  double cache_bytes = 0;          ///< of the device's own last level of cache; 0 where it has none
  std::string compute_capability;  ///< of an NVIDIA GPU, e.g. `9.0`
  double memory_bytes = 0;         ///< of the device's own; 0 where it has none
  bool resident = false;           ///< its processes stay from one cell to the next
};

/// The executables that stand beside the `ladder` program, as the build's manifest lists them.
class Catalogue {
 public:
  /// @throws std::runtime_error where the manifest or a description is missing or broken
  explicit Catalogue(const std::filesystem::path& bin);

  [[nodiscard]] const std::vector<Executable>& rungs() const { return rungs_; }
  [[nodiscard]] const std::vector<Executable>& ceilings() const { return ceilings_; }

  /// Rungs whose id matches the glob and whose build matches `build`, in ladder order.
  /// @throws InputError with the nearest id where there is none
  [[nodiscard]] std::vector<const Executable*> match(std::string_view glob, std::string_view build = "default") const;

  /// The one rung of this id, in its default build. @throws InputError with the nearest id
  [[nodiscard]] const Executable& rung(std::string_view id) const;

  /// @throws InputError where no ceilings are built for the backend
  [[nodiscard]] const Executable& ceilings_of(std::string_view backend) const;

  /// Asks one executable of the backend; the answer is kept.
  const Availability& probe(const Executable& executable);

 private:
  std::vector<Executable> rungs_;
  std::vector<Executable> ceilings_;
  std::map<std::string, Availability> probed_;
};

/// Environment that pins one OpenMP thread to each core, in order, as hwloc numbers them; what the user set stays.
std::vector<std::pair<std::string, std::string>> pinned_environment();

/// What OpenMP threads are told of where to run, by us or by the user: `OMP_NUM_THREADS=2 OMP_PLACES={0},{1} …`.
std::string pinning_text();

}  // namespace ladder
