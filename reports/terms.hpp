#pragma once

#include <string>
#include <vector>

#include "reports/sections/common.hpp"

/// Values that a study.toml selects by name from stored rows, counters, ceilings or the publication (docs/reports.md).
namespace ladder::reports {

/// Properties that several values share, so that each need not repeat them.
struct TermDefaults {
  std::string label, case_name, precision;
};

/// A value with the formula that it came from.
struct Term {
  double value = unknown;
  std::string how = {};
  std::string unit = {};                ///< empty for a pure number
  std::vector<const Cell*> cells = {};  ///< our cells that it came from
  std::vector<const Profile*> profiles = {};
  std::string quantity = {};          ///< of a single cell
  Series rates = {};                  ///< updates per second of the cell, or of one of its phases
  std::vector<const Row*> rows = {};  ///< other rows that it came from
  std::string why = {};               ///< why the value is unknown
};

/// The publication's value that `where` selects by label, case and quantity. @throws InputError if paper.csv lacks it
const PaperValue& look_up(const Parameters& where, const TermDefaults& defaults, const Context& context);

/// A published or measured value, or a scaled sum of several. @throws InputError if `where` selects neither
Term make_term(const Parameters& where, const TermDefaults& defaults, const Context& context);

/// Adds the cells, profiles and rows of `part` to those of `whole`, and the reason if `part` is unknown.
void take_sources(Term& whole, const Term& part);

}  // namespace ladder::reports
