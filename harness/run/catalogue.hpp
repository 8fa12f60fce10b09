#pragma once

#include <filesystem>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/process.hpp"
#include "harness/record/answers.hpp"
#include "harness/record/description.hpp"
#include "harness/run/launch.hpp"

namespace ladder {

/// An executable in the build that has the project's command line (docs/architecture.md), with its description.
struct Executable {
  std::filesystem::path path;
  std::string id;     ///< rung id, `ceiling/<backend>` or `contender/<name>`
  std::string build;  ///< `default` or a tag of the flags axis
  std::string backend;
  Description description;            ///< if not built: only the id and the description from its sources
  std::string target = {};            ///< build target; empty if the manifest names none
  std::filesystem::path folder = {};  ///< of a rung's sources, in the source tree
  bool is_built = true;
  std::string fault = {};                 ///< error in the description, which then holds only the id; empty: no error
  std::filesystem::path measured = path;  ///< file with the code that is measured; of a contender, its program
  std::filesystem::path root = {};        ///< source tree of the commit that it was built from; empty: this one

  /// Whether the full description is known, rather than only what the sources contain.
  [[nodiscard]] bool is_described() const { return is_built && fault.empty(); }
};

/// A backend that is missing from the build.
struct LeftOut {
  std::string backend;
  std::string reason;
};

/// The executables in the build's manifest, built or not.
class Catalogue {
 public:
  /// `root`: the source tree, whose kernel files describe rungs that are not built.
  /// @throws std::runtime_error if the manifest is missing
  explicit Catalogue(const std::filesystem::path& bin, const std::filesystem::path& root = {});

  [[nodiscard]] const std::vector<Executable>& rungs() const { return rungs_; }
  [[nodiscard]] const std::vector<Executable>& ceilings() const { return ceilings_; }
  [[nodiscard]] const std::vector<LeftOut>& left_out() const { return left_out_; }

  /// Rungs whose id matches the glob and whose build matches `build`, in ladder order.
  /// @throws InputError naming the nearest id if there is none
  [[nodiscard]] std::vector<const Executable*> match(std::string_view glob, std::string_view build = "default") const;

  /// The same, but excludes rungs that are not built because their backend cannot run here; reports each such backend once.
  /// @throws InputError also if any other rung is not built
  [[nodiscard]] std::vector<const Executable*> match_built(std::string_view glob, std::string_view build = "default");

  /// The same for a glob from a study. Rungs that are not built because their backend cannot run here are kept if the glob
  /// names the backend. `needed`: globs; only rungs that match one of them must be built (all rungs if there are none).
  [[nodiscard]] std::vector<const Executable*> match_planned(std::string_view glob, std::string_view build,
                                                             const std::vector<std::string>& needed);

  /// The rung with this id, in its default build. @throws InputError naming the nearest id
  [[nodiscard]] const Executable& rung(std::string_view id) const;

  /// The same. @throws InputError also if it is not built, or has a fault
  [[nodiscard]] const Executable& built_rung(std::string_view id) const;

  /// @throws InputError if the backend has no ceilings
  [[nodiscard]] const Executable& ceilings_of(std::string_view backend) const;

  /// The program that checks and measures contenders of a format, `none` included. @throws InputError if the build lacks it
  [[nodiscard]] const Executable& format(std::string_view name) const;

  /// Adds the executable of a contender; references to it stay valid. match() and rung() do not find it.
  const Executable& add_foreign(Executable executable) { return foreign_.emplace_back(std::move(executable)); }

  /// Adds a rung, unless one with the same id and build exists. Invalidates references to other rungs.
  void add_rung(Executable rung);

  /// The first built rung of a model or, if `built` is false, its first rung. @throws InputError if there is none
  [[nodiscard]] const Executable& rung_of_model(std::string_view model, bool built = true) const;

  /// Why the build lacks this backend or a part of it (`mpi+opencl`); empty if the build has it.
  [[nodiscard]] std::string why_left_out(std::string_view backend) const;

  /// Probes the backend's own program. If that does not answer, probes the executable, then other executables of the backend,
  /// so that one broken executable does not affect the others. The answer is cached per backend and launch, because the launch
  /// determines the number of threads.
  const Availability& probe(const Executable& executable, const Launch& launch = launch_of({}));

  /// Whether the executable is missing because its backend cannot run here.
  [[nodiscard]] bool is_not_needed(const Executable& executable);
  /// The same, but reports each backend once.
  bool is_passed_over(const Executable& executable);

 private:
  /// The programs to probe for an executable's backend, in order.
  [[nodiscard]] std::vector<std::filesystem::path> programs_of(const Executable& executable) const;

  /// The last part of a message about an id or glob that matches nothing.
  [[nodiscard]] std::string why_unknown(std::string_view id) const;

  std::vector<Executable> rungs_;
  std::vector<Executable> ceilings_;
  std::vector<Executable> formats_;
  std::list<Executable> foreign_;
  std::vector<LeftOut> left_out_;
  std::map<std::string, std::filesystem::path> probes_;  ///< each backend's own program
  std::map<std::string, Availability> probed_;           ///< by backend and launch
  std::vector<std::string> passed_over_;                 ///< backends already reported as left out
};

/// The backend in a glob over rung ids, e.g. `cuda` in `d2q9/cuda/*`; it is itself a glob. Empty if there is no such part.
std::string backend_of(std::string_view glob);

/// A rung's model, from its description or, if that does not name it, from its id.
std::string model_of(const Executable& rung);

/// Everything known about a rung, as JSON.
nlohmann::ordered_json described_rung(const Executable& rung);

/// @throws InputError if the executable is not built
void require_built(const Executable& executable);

}  // namespace ladder
