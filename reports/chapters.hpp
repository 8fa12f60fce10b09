#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/page.hpp"
#include "reports/study.hpp"

namespace ladder::reports {

/// Puts the machine for which the findings were written first, then the machine with the newest session.
void order_machines(Study& study);

/// The name of a machine's latest session, which begins with its date; empty if there is none.
std::string last_session(const MachineData& data);

/// The chapters of a study's page: one for each of its machines and, if a [[report]] block compares machines, one more. A study
/// without results has one chapter, which reads all blocks. Their ids differ. They point into `study`, which must outlive them.
/// @throws InputError if a block is wrong
std::vector<Chapter> make_chapters(const Study& study);

/// A chapter's findings with all their values, and its other answers.
std::vector<std::string> answers_of(const Chapter& chapter);

/// The same for the study in `folder` on `machine`, with findings that do not hold marked as such, and the warning if the
/// measurements are noisy. @throws InputError if a file is wrong
std::vector<std::string> answers_of(const std::filesystem::path& folder, const std::string& machine);

/// The answer of a part of a study on one machine.
struct PartAnswer {
  Table cells;                         ///< rates, speed-ups and verdicts; without rows if no cell has a sample
  std::vector<std::string> sentences;  ///< findings from these rows alone, else the general answer
};

/// The answer from the rows with these keys alone. For each case, the cells are in the order of the keys. Each cell is compared
/// with a cell of the same case, precision and placement: that of the nearest of the part's rungs that its rung follows or, if
/// there is none, the one above it. @throws InputError if a file is wrong
PartAnswer answer_of_part(const std::filesystem::path& folder, const std::string& machine,
                          const std::vector<std::string>& keys);

}  // namespace ladder::reports
