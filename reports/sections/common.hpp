#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/chart.hpp"
#include "reports/sections/sections.hpp"

/// Text and drawing helpers shared by several sections.
namespace ladder::reports {

/// Prefix of row and column titles for published values.
inline constexpr std::string_view paper_prefix = "paper: ";

/// The number format that a block selects with `precision`, else the default.
std::string precision_of(const Parameters& block);

/// The cells that most kinds of section show.
struct Selection {
  std::vector<std::string> cases, rungs;  ///< rungs are patterns
  std::string precision, tuning;
};

/// The cells that a block selects, with `tuning` unless it names another.
Selection selection_of(const Parameters& block, const char* tuning);

/// Appends `item`, unless `items` has it.
template <class Item>
void add_once(std::vector<Item>& items, const Item& item) {
  if (std::ranges::find(items, item) == items.end()) items.push_back(item);
}

/// Names the rows that a table or figure was made from: study, machine, sessions, filter and file.
std::string rows_caption(const Context& context, const std::vector<const Cell*>& cells, const std::string& filter);

/// States what the energy of these cells covers, and where the rule for it is documented. At least one of them has energy.
std::string energy_caption(const std::vector<const Cell*>& cells);

/// Names the stored profiles that a table was made from: file, lines, sessions, profiler and device; empty if there are none.
std::string profiles_caption(const Context& context, const std::vector<const Profile*>& profiles);

/// "72.5" from the counters, or "73 (model)" without counters.
TableCell dram_cell(const Profile* profile, double model);

/// Fraction of the time for which the events of a profile were counted, if its counts are therefore scaled; else unknown.
double scaled_share(const Profile& profile);

/// The three most frequent warp stall reasons, as fractions of all stalls: "long_scoreboard 71 %, …". Hovering shows all.
TextCell stalls_cell(const Profile& profile);

/// The samples of cells and of their ceilings, for Table::sources and Figure::sources.
std::vector<const Row*> rows_of(const std::vector<const Cell*>& cells, const std::vector<const Cell*>& ceilings = {});

/// "1.72× [1.70, 1.75]", with † or ‡ if the values are not paired by round.
TableCell ratio_cell(const Ratio& ratio);

/// "57.6 %", flagged if it exceeds what the rung's traffic explains. The hover names the ceiling and the interval.
TableCell fraction_cell(const Fraction& fraction);

/// "57.6 %", flagged above 100 %, or above `most`.
TableCell percent_cell(double fraction, double most = 1);

/// " [88.1, 104]": an interval of fractions, in percent; empty if it is unknown.
std::string percent_interval(const Interval& interval);

/// Notes which rungs, if any, may exceed the copy with their access pattern because they declare fewer bytes of DRAM traffic
/// per update than one step through memory moves. Call once per section, with the cells of all its tables.
void say_what_moves_less(const std::vector<const Cell*>& cells, Section& section);

/// Notes how contenders, if there are any, were timed, and which of them are not checked. Call once per section.
void say_foreign(const std::vector<const Cell*>& cells, Section& section);

/// "yes" or, flagged, "no".
TextCell passed_cell(bool passed);

/// Fraction of the cells that are fluid.
double fluid_share(const Row& row);

/// Formats of columns: significant digits, two decimals, percent without a limit, "1.72×", "1.13 MiB".
struct Digits {
  int digits;
  TableCell operator()(double value) const { return number_cell(value, digits); }
};
TableCell two_decimals(double value);
TableCell share_cell(double fraction);
TableCell times_cell(double ratio);
TableCell bytes_cell(double bytes);

/// Time per step in µs, and rate in MLUPS, with the cell's mark, which the hover explains.
TableCell time_cell(const Cell& cell);
TableCell rate_cell(const Cell& cell);
TableCell four_digit_rate_cell(const Cell& cell);  ///< with four digits

/// A value that is usually an integer, shown without decimals if it is one.
TableCell count_cell(double value);

/// "m/s/02, wx=32": the name, and the tuning unless it is empty.
std::string with_tuning(const std::string& name, const std::string& tuning);
std::string row_name(const Row& row);

/// Readable name of a ceiling: "triad, openmp, store=nt, 1.13 GiB".
std::string describe(const Ceiling& ceiling);

/// A sentence with the highest DRAM bandwidth and the highest arithmetic rate of these ceilings; empty if there is neither.
std::string strongest(const std::vector<Ceiling>& ceilings, const Context& context);

/// Why a query has no cell to show: the reason of a failure, or "not measured".
std::string why_missing(const Context& context, const CellQuery& query);

/// `value` if a logarithmic axis can show it (a finite number above 0), else NaN.
double positive(double value);

/// Cells of the rungs that match `patterns` for a case, each at its fastest tuning, ordered by rung id.
std::vector<const Cell*> cells_of(const Context& context, const std::vector<std::string>& patterns,
                                  const std::string& case_name, const std::string& precision, const std::string& tuning);

/// The cell of the same rung, build, case, precision and number of workers with the rung's default tunables. Null if they are
/// unknown or were not measured.
const Cell* with_own_tuning(const Context& context, const Cell& cell);

/// Median time of each phase in seconds per step, over the samples of a cell that have it; in the order of execution.
std::vector<PhaseTime> median_phases(const Cell& cell);

/// Updates per second of one phase, from the samples of a cell that have it. Phases are timed separately. Empty if the rung
/// does not have the phase.
Series phase_rates(const Cell& cell, const std::string& phase);

/// Number of sites of a case, from the stored rows. If no row has it, from the case's name: `…-<X>x<Y>` gives the sides, and
/// `…-<N>` is the side in as many dimensions as other cases of its kind have. NaN if neither is known.
double cells_in_case(const Context& context, const std::string& case_name);

/// Number of dimensions of a kind of case (the part of the name before the last `-`): 2 or 3; NaN if no row has such a case.
double sides_of_kind(const Context& context, const std::string& case_name);

/// The stored files of a case's flow (`field` or `series`), by number of steps, for the key listed last. If the block has a
/// `rung`, only matching rungs count. Otherwise, if the results list no files, those named as in older versions, about which
/// nothing else is known. Empty if there are none.
/// @throws InputError if `case_name`, from the block's `cases`, is not a valid name
std::map<std::int64_t, Flow> flows_of(const Parameters& block, const Context& context, const std::string& kind,
                                      const std::string& case_name);

/// Reads a file of a flow. @throws InputError if it is not such a file or is truncated
CsvFile read_flow_file(const std::filesystem::path& path);

/// States which files a table or figure was made from, and how the files were made. `flows` must not be empty.
std::string flows_caption(const Context& context, const std::vector<Flow>& flows);

/// The number of steps that the paper ran for this case.
double nominal_steps(const Paper& paper, const std::string& label, const std::string& case_name);

/// `average_time` as "average time".
std::string words(std::string name);

/// Names of rungs for a figure: the last part of the id, preceded by the folder if there are several folders.
std::vector<std::string> short_names(const std::vector<std::string>& rungs);

/// A rung's number and idea for a figure: `04 one kernel per step` for `d2q9/opencl/04_fused`. The idea is the part of the
/// description before the first of `:;,(`. If that is unknown or longer than 40 characters, the file name is used: `04 fused`.
std::string idea_name(const Context& context, const std::string& rung);

/// The same names, each preceded by the folder if the rungs come from several: `opencl/04 one kernel per step`.
std::vector<std::string> idea_names(const Context& context, const std::vector<std::string>& rungs);

/// A value next to a dot, rounded to three digits: "31,700", "4.05".
std::string rounded(double value);

/// "1.20 (fused)", or "from 1.10 (soa) to 1.20 (fused)": the smallest and the largest of named values; empty if there are none.
std::string range_text(const std::vector<std::pair<double, std::string>>& named, std::string (*text)(double));

/// "; the rows do not distinguish it from 02_fused (1.01× [0.99, 1.02], noise 2.0 %)", where `name` is the next fastest cell's.
/// Empty if the rows distinguish the two, or if there are too few rounds.
std::string tie_text(const Context& context, const Cell& fastest, const Cell& second, const std::string& name);

/// Title of a figure: what it shows, of which case and precision, and on which machine: "Roofline: box-1024, f32, NVIDIA H200".
std::string figure_title(const Context& context, const std::string& what, const std::vector<std::string>& of);

/// The look of rungs in figures, in the same order: all are shades of blue. The folder determines the shade, and the position
/// in the folder the symbol. If all rungs are from one folder, the first 30 all look different.
std::vector<Look> looks(const std::vector<std::string>& rungs);

/// The look of our i-th series: a shade of blue and a symbol, different for the first 30.
Look our_look(std::size_t i);

/// The look of the paper's i-th label: hollow and vermilion.
Look paper_look(std::size_t i);

/// The paper's labels that a block selects. @throws InputError if paper.csv has no such label
std::vector<std::string> paper_labels(const Parameters& block, const Context& context, const char* parameter = "paper");

}  // namespace ladder::reports
