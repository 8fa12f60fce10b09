#include "harness/study/campaign.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/limits.hpp"
#include "harness/study/parameters.hpp"

namespace ladder {

std::string CampaignPart::name() const {
  std::vector<std::string> all = rungs;
  all.insert(all.end(), cases.begin(), cases.end());
  all.insert(all.end(), placements.begin(), placements.end());
  return all.empty() ? study : fmt::format("{}: {}", study, fmt::join(all, " "));
}

Campaign read_campaign(const std::filesystem::path& file) {
  const Parameters table = read_parameters(file);
  Campaign campaign;
  table.take("machine", campaign.machine);
  for (const Parameters& block : table.tables("part")) {
    CampaignPart& part = campaign.parts.emplace_back();
    part.line = static_cast<int>(block.line());
    block.require({"study"});
    block.take("study", part.study);
    block.take("rungs", part.rungs);
    block.take("cases", part.cases);
    block.take("placements", part.placements);
    block.take_integer("rounds", part.rounds, most_samples);
    block.take("needs_seconds", part.needs_seconds);
    block.finish();
  }
  table.finish();
  return campaign;
}

Study study_of(const std::filesystem::path& file, const CampaignPart& part, const std::filesystem::path& experiments) {
  return in_part(file, part, [&] {
    Study study = read_study(find_study(experiments, part.study));
    take_part(study, part.rungs, part.cases, part.placements);
    return study;
  });
}

}  // namespace ladder
