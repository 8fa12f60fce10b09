#pragma once

#include <string>
#include <vector>

#include "reports/sections/sections.hpp"

namespace ladder::reports {

/// A statement that answers the question of a study: a `[[finding]]` block of its study.toml, with the values of one machine
/// filled in (docs/reports.md, "Findings").
struct Finding {
  std::string name;                           ///< of the block; empty if it has none
  std::size_t line = 0;                       ///< of the block in study.toml
  std::string text = {};                      ///< the statement, or that it does not hold; empty if values are missing
  std::string how = {};                       ///< the formula of each value
  bool holds = false;                         ///< whether the block's condition is true
  std::string source = {};                    ///< machine for which it was written; empty if neither block nor study names one
  bool is_of_source = false;                  ///< these are the values of that machine
  std::vector<std::string> missing = {};      ///< why values are unknown: not measured, or not comparable
  std::vector<const Row*> rows = {};          ///< that its values came from
  std::vector<const Profile*> profiles = {};  ///< that its values came from

  bool is_older = false;   ///< some of the rows or profiles are older than their rungs; set where the rungs' sources are known
  bool only_docs = false;  ///< shown in the documentation, but on no page

  [[nodiscard]] bool is_known() const { return missing.empty(); }
  [[nodiscard]] bool is_on_page() const { return is_known() && !only_docs; }
};

/// Follows the machine of a finding with rows or profiles that are older than their rungs.
inline constexpr const char* older_mark = ", older than the current code";

/// The findings of a study on the machine with this index, in the order of study.toml. `sections` has, for each machine, its
/// sections and those that compare machines: values may be taken from their tables.
/// @throws InputError with the line of study.toml if a block is wrong
std::vector<Finding> findings_of(const std::vector<Context>& machines, std::size_t machine,
                                 const std::vector<std::vector<const Section*>>& sections);

}  // namespace ladder::reports
