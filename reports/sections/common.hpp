#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reports/sections/sections.hpp"

/// Texts and drawing that several sections share.
namespace ladder::reports {

/// A number that neither a row nor a publication has.
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Begins the titles of a publication's rows and columns.
inline constexpr std::string_view paper_prefix = "paper: ";

/// The number format that a block names as `precision`, else the default one.
std::string precision_of(const Parameters& block);

/// Which rows a table or figure came from: study, machine, sessions, filter and file.
std::string rows_caption(const Context& context, const std::vector<const Cell*>& cells, const std::string& filter);

/// What the joules of cells are of, and where the rule for them is written. One of them has energy.
std::string energy_caption(const std::vector<const Cell*>& cells);

/// Which stored profiles a table came from: file, lines, sessions, profiler and device; empty for none.
std::string profiles_caption(const Context& context, const std::vector<const Profile*>& profiles);

/// "72.5" by the counters, or "73 (model)" if there are none.
TableCell dram_cell(const Profile* profile, double model);

/// The three longest stall reasons of warps, with their fractions of all stalls: "long_scoreboard 71 %, …"; all on hover.
TableCell stalls_cell(const Profile& profile);

/// The samples of cells, for Table::sources and Figure::sources.
std::vector<const Row*> rows_of(const std::vector<const Cell*>& cells);

/// "1.72× [1.70, 1.75]", with † or ‡ if the values are not paired by round.
TableCell ratio_cell(const Ratio& ratio);

/// "57.6 %", flagged above what the rung's traffic explains. The hover names the ceiling and the interval.
TableCell fraction_cell(const Fraction& fraction);

/// "57.6 %", flagged above 100 %, or above `most`.
TableCell percent_cell(double fraction);
TableCell percent_cell(double fraction, double most);

/// Says, if there are any, which rungs may stand above the copy with their access pattern, because they declare fewer bytes of
/// DRAM per update than one step through memory moves. To be called once per section, with the cells of all its tables.
void say_what_moves_less(const std::vector<const Cell*>& cells, Section& section);

/// Says, if there are any, where the times of contenders come from, and which are not checked. To be called once per section.
void say_foreign(const std::vector<const Cell*>& cells, Section& section);

/// Three significant digits; exact on hover.
TableCell number_cell(double value, int digits = 3);

/// Time of a step in µs, and rate in MLUPS, with the cell's mark and what it stands for on hover.
TableCell time_cell(const Cell& cell, int digits = 3);
TableCell rate_cell(const Cell& cell, int digits = 3);

/// A number that is usually an integer: without decimals if it is.
TableCell count_cell(double value);

/// Name of a ceiling for people: "triad, openmp, store=nt, 1.13 GiB".
std::string describe(const Ceiling& ceiling);

/// The highest bandwidth from DRAM and the highest arithmetic rate of these ceilings, in a sentence; empty if there is neither.
std::string strongest(const std::vector<Ceiling>& ceilings, const Context& context);

/// Why a query has no cell to show: the reason of a failure, or "not measured".
std::string why_missing(const Context& context, const CellQuery& query);

/// `value` if a logarithmic axis can show it (a finite number above 0), else NaN.
double positive(double value);

/// Number and label of each tick of a logarithmic axis over [low, high] as a gnuplot command: decades, and also 2 and 5 if
/// there are few decades. Nothing if the range is not one of finite numbers above 0.
std::string log_ticks(const char* axis, double low, double high);

/// As log_ticks, with binary units (B, KiB, MiB) at powers of 2 apart.
std::string byte_ticks(const char* axis, double low, double high);

/// Cells that each of `patterns` of rungs has for a case at its fastest tuning, in order of rung id.
std::vector<const Cell*> cells_of(const Context& context, const std::vector<std::string>& patterns,
                                  const std::string& case_name, const std::string& precision, const std::string& tuning);

/// The cell of the same rung, build, case, precision and number of workers with the rung's own values of its tunables. nullptr
/// if these are not known, or were not measured.
const Cell* with_own_tuning(const Context& context, const Cell& cell);

/// Medians of the times of phases, in seconds per step, over the samples of a cell that have them; in the order of the step.
std::vector<PhaseTime> median_phases(const Cell& cell);

/// Updates per second of one phase, by the samples of a cell that have it; each phase is measured alone. Empty if the rung does
/// not have the phase.
Series phase_rates(const Cell& cell, const std::string& phase);

/// Number of sites of a case: from the stored rows; if no row has it, from its name: `…-<X>x<Y>` has its sides, `…-<N>` as many
/// sides as other cases of its kind. NaN if neither is known.
double cells_in_case(const Context& context, const std::string& case_name);

/// Number of dimensions of a kind of cases (the part before the last `-` of their names): 2 or 3; NaN if no row has such a
/// case.
double sides_of_kind(const Context& context, const std::string& case_name);

/// The stored files of a case's flow (`field` or `series`) with the key that is listed last, by number of steps. If the results
/// list no files, they are the files with the names of older versions, of which nothing else is known. Empty if there are none.
/// @throws InputError if `case_name`, of the block's `cases`, is not a valid name
std::map<std::int64_t, Flow> flows_of(const Parameters& block, const Context& context, const std::string& kind,
                                      const std::string& case_name);

/// Reads a file of a flow. @throws InputError if it is not such a file, or is cut off
CsvFile read_flow_file(const std::filesystem::path& path);

/// Names the files that a table or figure was made from, and how they were made. `flows` is not empty.
std::string flows_caption(const Context& context, const std::vector<Flow>& flows);

/// The number of steps of the paper's runs of this case.
double nominal_steps(const Paper& paper, const std::string& label, const std::string& case_name);

/// Names of rungs for a figure: the last part of the id, with the folder before it if they come from several.
std::vector<std::string> short_names(const std::vector<std::string>& rungs);

/// A rung's number and idea, for figures: `04 one kernel per step` for `d2q9/opencl/04_fused`. The idea is what its description
/// says before the first of `:;,(`; if that is longer than 40 characters or not known, the words of its file name: `04 fused`.
std::string idea_name(const Context& context, const std::string& rung);

/// These names, with the folder before each if the rungs come from several: `opencl/04 one kernel per step`.
std::vector<std::string> idea_names(const Context& context, const std::vector<std::string>& rungs);

/// The look of a rung in figures: a colour for its folder and a point for its place in the folder; another colour from the
/// eleventh on. If all are from one folder, each of the first 30 has its own combination of colour and point.
struct Look {
  const char* color;
  int point;  ///< gnuplot's `pt`
};

/// Looks of rungs, in their order.
std::vector<Look> looks(const std::vector<std::string>& rungs);

/// The look of the paper's i-th label: hollow and grey.
Look paper_look(std::size_t i);

/// A key in one column to the right of the frame, which must end `width` + 30 pixels before the picture does.
std::string key_at_right(const Plot& plot, int width);

/// The paper's labels that a block asks for. @throws InputError if paper.csv has no such label.
std::vector<std::string> paper_labels(const Parameters& block, const Context& context, const char* parameter = "paper");

}  // namespace ladder::reports
