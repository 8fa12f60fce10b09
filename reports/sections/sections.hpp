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

// One function per kind, in a file of the same name. Each reads its parameters from `block` and appends to `section`.
// docs/reports.md describes kinds and parameters.
void accuracy(const Parameters& block, const Context& context, Section& section);
void backends(const Parameters& block, const Context& context, Section& section);
void bound(const Parameters& block, const Context& context, Section& section);
void ceilings(const Parameters& block, const Context& context, Section& section);
void claims(const Parameters& block, const Context& context, Section& section);
void counters(const Parameters& block, const Context& context, Section& section);
void energy(const Parameters& block, const Context& context, Section& section);
void faults(const Parameters& block, const Context& context, Section& section);
void field(const Parameters& block, const Context& context, Section& section);
void flags(const Parameters& block, const Context& context, Section& section);
void growth(const Parameters& block, const Context& context, Section& section);
void heatmap(const Parameters& block, const Context& context, Section& section);
void layers(const Parameters& block, const Context& context, Section& section);
void limits(const Parameters& block, const Context& context, Section& section);
void mesh(const Parameters& block, const std::vector<Context>& machines, Section& section);
void operations(const Parameters& block, const Context& context, Section& section);
void overlap(const Parameters& block, const Context& context, Section& section);
void paper(const Parameters& block, const std::vector<Context>& machines, Section& section);
void phases(const Parameters& block, const Context& context, Section& section);
void portability(const Parameters& block, const std::vector<Context>& machines, Section& section);
void profile(const Parameters& block, const Context& context, Section& section);
void rates(const Parameters& block, const Context& context, Section& section);
void roofline(const Parameters& block, const Context& context, Section& section);
void scaling(const Parameters& block, const Context& context, Section& section);
void self_test(const Parameters& block, const Context& context, Section& section);
void series(const Parameters& block, const Context& context, Section& section);
void steps(const Parameters& block, const Context& context, Section& section);
void stream(const Parameters& block, const Context& context, Section& section);
void sweep(const Parameters& block, const Context& context, Section& section);

}  // namespace ladder::reports
