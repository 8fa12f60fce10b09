#include "harness/run/targets.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace ladder {

void Targets::add(const Executable& executable) {
  if (std::find(names_.begin(), names_.end(), executable.target) == names_.end()) names_.push_back(executable.target);
}

void Targets::add(const Executable& rung, const std::vector<std::string>& asked) {
  const bool is_named = std::ranges::any_of(
      asked, [&](const std::string& glob) { return rung.backend == backend_of(glob) && matches(glob, rung.id); });
  if (is_named || catalogue_.probe(rung).available) add(rung);
}

void Targets::add_rungs(std::string_view glob, std::string_view build) {
  for (const Executable* rung : catalogue_.match(glob, build))
    add(*rung, {std::string(glob)});
}

void Targets::add_steps(std::string_view glob) {
  const auto all = catalogue_.match(glob);
  add_rungs(glob);
  const std::vector<std::string> asked = names_;
  for (const Executable* rung : all)
    for (const Executable& other : catalogue_.rungs())
      if (other.id == rung->description.follows && other.build == "default" &&
          std::ranges::find(asked, rung->target) != asked.end())
        add(other);
}

void Targets::refresh(std::string_view id) {
  if (const Executable& rung = catalogue_.rung(id); rung.is_built) add(rung);
}

void Targets::refresh_all() {
  for (const auto* all : {&catalogue_.rungs(), &catalogue_.ceilings()})
    for (const Executable& executable : *all)
      if (executable.is_built) add(executable);
}

void Targets::add_ceilings(std::string_view backend, const std::vector<std::string>& asked) {
  if (!catalogue_.why_left_out(backend).empty()) return;
  const Executable& ceilings = catalogue_.ceilings_of(backend);
  const bool is_named = std::ranges::any_of(asked, [&](const std::string& glob) { return backend_of(glob) == backend; });
  if (is_named || catalogue_.probe(ceilings).available) add(ceilings);
}

void Targets::add_contenders(const Study& study) {
  for (const auto& block : study.contenders) {
    add(catalogue_.format(block.format));
    add(catalogue_.rung_of_model(block.model, false));  // will be asked about the cases
  }
}

void Targets::add(const Study& study) {
  const auto add_matching = [&](const std::string& glob, const std::string& build) {
    for (const Executable* rung : catalogue_.match(glob, build))
      if (matches_any(study.only_rungs, rung->id)) add(*rung, study.only_rungs);
  };
  for (const auto& block : study.matrix)
    for (const auto& glob : block.rungs) {
      if (!catalogue_.why_left_out(backend_of(glob)).empty()) continue;
      for (const auto& build : block.builds)
        add_matching(glob, build);
    }
  if (!study.contenders.empty()) add_contenders(study);
  for (const auto& block : study.ceilings)
    add_ceilings(block.backend, study.only_rungs);
  for (const auto& block : study.fields)
    add_matching(block.rung, "default");
  for (const auto& block : study.series)
    add_matching(block.rung, "default");
}

}  // namespace ladder
