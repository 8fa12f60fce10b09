#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/run/catalogue.hpp"
#include "harness/study/study.hpp"

namespace ladder {

/// The build targets that a command needs. Rungs and ceilings of a backend that cannot run here are not among them, except for
/// rungs of a glob that names the backend: `d2q9/cuda/*` means CUDA, `d2q9/*` the rungs that run here.
class Targets {
 public:
  explicit Targets(Catalogue& catalogue) : catalogue_(catalogue) {}

  /// Of the rungs that match the glob, those that match one of the globs `only` (all, if there are none).
  /// @throws InputError if no rung matches `glob`
  void add_rungs(std::string_view glob, std::string_view build = "default", const std::vector<std::string>& only = {});

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

  Catalogue& catalogue_;
  std::vector<std::string> names_;
};

}  // namespace ladder
