#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/sections/sections.hpp"

namespace ladder::reports {

/// The answer of a study on one machine, in up to three sentences for people:
///  1. the fastest rung on the largest case, with its rate;
///  2. its gain over the first rung of its ladder (along `follows`) and over the rung before it, and the step of that ladder
///     that gains most, with its idea;
///  3. what limits it: its fractions of copy-Q and of the ceiling of multiply-adds.
/// A sentence whose numbers are not stored is left out. The numbers are of one model and one precision, those with the most
/// measured rungs, and of the largest case that at least two of these rungs have (else the largest of all). Only cells that a
/// report shows count, and no programs that are not of this project. Without any such cell there is one sentence: how many
/// cells failed, or the highest ceilings; nothing if there are no rows. The texts are plain: the caller escapes them.
std::vector<std::string> answer(const Context& context);

/// The same for the stored rows of the study in `folder` on the machine of that name, of its last identity.
/// @throws InputError if a file is wrong
std::vector<std::string> answer(const std::filesystem::path& folder, const std::string& machine);

}  // namespace ladder::reports
