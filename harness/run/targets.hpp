#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/run/catalogue.hpp"
#include "harness/study/study.hpp"

namespace ladder {

/// The build targets that a command needs. Rungs and ceilings of a backend that cannot run here are excluded, unless a
/// command-line glob names the backend: `d2q9/cuda/*` includes all CUDA rungs and CUDA's ceilings, `d2q9/*` only what runs
/// here. A glob in a study never counts as naming a backend, because one study serves machines with and without GPUs.
class Targets {
 public:
  explicit Targets(Catalogue& catalogue) : catalogue_(catalogue) {}

  /// The rungs that match a glob on the command line. @throws InputError if there are none
  void add_rungs(std::string_view glob, std::string_view build = "default");

  /// Like add_rungs(), but also adds the parents of these rungs.
  void add_steps(std::string_view glob);

  /// Adds the rung if it has been built before, to keep its description up to date with its sources.
  void refresh(std::string_view id);
  /// Adds every executable that has been built before.
  void refresh_all();

  /// Adds everything that a study measures and draws. @throws InputError if it names a rung or backend that does not exist
  void add(const Study& study);

  /// Adds the ceilings of a backend that the build contains, if it can run here or one of the command-line globs in `asked`
  /// names it.
  void add_ceilings(std::string_view backend, const std::vector<std::string>& asked = {});

  /// Adds the targets that a study's contenders need.
  void add_contenders(const Study& study);

  /// The targets in the order of their first request, each once.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  void add(const Executable& executable);
  /// Adds a rung if its backend can run here, or if one of the command-line globs in `asked` names its backend.
  void add(const Executable& rung, const std::vector<std::string>& asked);

  Catalogue& catalogue_;
  std::vector<std::string> names_;
};

}  // namespace ladder
