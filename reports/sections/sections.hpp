#pragma once

#include <vector>

#include "harness/study/parameters.hpp"
#include "reports/ceilings.hpp"
#include "reports/document.hpp"
#include "reports/results.hpp"
#include "reports/study.hpp"

namespace ladder::reports {

/// The data that a section may use: one machine of one study.
struct Context {
  const Study& study;
  const Results& results;
  const Ceilings& ceilings;
};

/// Whether sections of the block's kind may have figures.
bool draws(const Parameters& block);

/// Whether the section that a [[report]] block asks for compares all machines of a study.
/// @throws InputError if its kind is unknown
bool is_across(const Parameters& block);

/// The section that a [[report]] block asks for, for one machine.
/// @throws InputError if a parameter is unknown, missing or wrong
Section make_section(const Parameters& block, const Context& context);

/// The same for a block for which is_across() is true, for all machines of a study.
Section make_section_across(const Parameters& block, const std::vector<Context>& machines);

/// A warning if more than 5 % of the machine's samples are suspicious, or a rung differs from itself by more than 10 %; else
/// empty.
std::string disturbance(const Context& context);

/// Machine, sessions, row counts, all rungs, and the runs that failed or were skipped.
Section summary(const Context& context);

}  // namespace ladder::reports
