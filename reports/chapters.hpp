#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/page.hpp"
#include "reports/study.hpp"

namespace ladder::reports {

/// The chapters of a study's page: one for each of its machines and, if a [[report]] block compares machines, one more. A study
/// without results has one chapter, which reads all blocks. They point into `study`, which must outlive them.
/// @throws InputError if a block is wrong
std::vector<Chapter> make_chapters(const Study& study);

/// A chapter's findings with all their values, and its other answers.
std::vector<std::string> answers_of(const Chapter& chapter);

/// The same for the study in `folder` on `machine`. @throws InputError if a file is wrong
std::vector<std::string> answers_of(const std::filesystem::path& folder, const std::string& machine);

}  // namespace ladder::reports
