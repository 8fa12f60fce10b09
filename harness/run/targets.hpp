#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/run/catalogue.hpp"
#include "harness/study/study.hpp"

namespace ladder {

/// The build targets that a command needs. Rungs and ceilings of a backend that cannot run here are not among them, except for
/// rungs of a glob on the command line that names the backend: `d2q9/cuda/*` means CUDA, `d2q9/*` the rungs that run here. The
/// globs of a study do not name a backend: one study serves machines with and without GPUs.
class Targets {
 public:
  explicit Targets(Catalogue& catalogue) : catalogue_(catalogue) {}

  /// The rungs that match a glob of the command line. @throws InputError if there are none
  void add_rungs(std::string_view glob, std::string_view build = "default");

  /// The rung if it has been built before, so that its description is not older than its sources.
  void refresh(std::string_view id);
  /// Every executable that has been built before.
  void refresh_all();

  /// Everything that a study measures and draws. @throws InputError if it names a rung or backend that does not exist
  void add(const Study& study);

  /// The ceilings of a backend, if the build has it and it can run here.
  void add_ceilings(std::string_view backend);

  /// What the contenders of a study need.
  void add_contenders(const Study& study);

  /// In the order in which they were asked for, each once.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  void add(const Executable& executable);
  /// Adds a rung if its backend can run here or if one of the globs `asked`, of the command line, names its backend.
  void add(const Executable& rung, const std::vector<std::string>& asked);

  Catalogue& catalogue_;
  std::vector<std::string> names_;
};

}  // namespace ladder
