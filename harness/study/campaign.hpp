#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "harness/study/study.hpp"

namespace ladder {

/// A part of a study, as chosen by the options of `ladder run`.
struct CampaignPart {
  int line = 0;
  std::string study;
  std::vector<std::string> rungs, cases, placements;  ///< globs; empty means everything
  int rounds = 0;                                     ///< at most; 0: the study's
  double needs_seconds = 0;  ///< the part is not started with less time left, e.g. for a long run that cannot be continued

  /// `gpu: d2q9/cuda/* box-1024`
  [[nodiscard]] std::string name() const;
};

/// Parts of studies to measure on one machine, the most valuable first.
struct Campaign {
  std::string machine;  ///< name to store the results under; empty: derived from the processor
  std::vector<CampaignPart> parts;
};

/// Reads a campaign. @throws InputError with file, line and accepted values
Campaign read_campaign(const std::filesystem::path& file);

/// Calls `f` and prefixes its errors with the file and the part's line, unless they are about another file.
auto in_part(const std::filesystem::path& file, const CampaignPart& part, auto f) try { return f(); } catch (const FileError&) {
  throw;
} catch (const InputError& e) {
  throw InputError(fmt::format("{}:{}: {}", file.string(), part.line, e.what()));
}

/// The study reduced to the part to be measured. @throws InputError with file and line if there is no such study, or a glob
/// matches nothing in it
Study study_of(const std::filesystem::path& file, const CampaignPart& part, const std::filesystem::path& experiments);

}  // namespace ladder
